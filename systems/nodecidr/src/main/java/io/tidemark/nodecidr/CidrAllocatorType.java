package io.tidemark.nodecidr;

import io.tidemark.error.NearestName;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Who decides which block a node gets, by the published names. */
public enum CidrAllocatorType {
  /** This program, out of the cluster's ranges. */
  RANGE_ALLOCATOR("RangeAllocator"),
  /** The cloud; its ranges are copied to the nodes. */
  CLOUD_ALLOCATOR("CloudAllocator"),
  /** This program; its blocks are copied to the cloud. */
  IPAM_FROM_CLUSTER("IPAMFromCluster"),
  /** The cloud; its ranges are copied to the nodes and compared. */
  IPAM_FROM_CLOUD("IPAMFromCloud");

  private final String text;

  CidrAllocatorType(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /** Whether nodes have the ranges of their instances in a cloud. */
  public boolean followsCloud() {
    return this != RANGE_ALLOCATOR;
  }

  public static Optional<CidrAllocatorType> of(String text) {
    return Arrays.stream(values()).filter(each -> each.text.equals(text)).findFirst();
  }

  public static List<String> names() {
    return Arrays.stream(values()).map(CidrAllocatorType::text).toList();
  }

  /** The name that was probably meant. */
  public static Optional<String> nearest(String text) {
    return names().stream()
        .filter(each -> each.equalsIgnoreCase(text))
        .findFirst()
        .or(() -> NearestName.of(text, names()));
  }
}
