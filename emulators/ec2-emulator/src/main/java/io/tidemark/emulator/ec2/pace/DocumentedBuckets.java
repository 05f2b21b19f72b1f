package io.tidemark.emulator.ec2.pace;

import io.tidemark.emulator.kit.pace.BucketSize;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The buckets of "Request throttling for the Amazon EC2 API" (Amazon EC2 Developer Guide). */
final class DocumentedBuckets {
  /** Reads with a filter or a page size; also reads that have no page size. */
  static final BucketSize READ = new BucketSize(100, 20);

  /** The reads that are dearer when neither filtered nor paged. */
  static final BucketSize UNBOUNDED_READ = new BucketSize(50, 10);

  /** Actions that change something and have no figure of their own. */
  static final BucketSize MUTATION = new BucketSize(50, 5);

  private static final Set<String> READ_PREFIXES = Set.of("Describe", "Get", "List", "Search");

  private static final Set<String> UNBOUNDED_READS =
      Set.of(
          "DescribeInstances",
          "DescribeInstanceStatus",
          "DescribeNetworkInterfaces",
          "DescribeSecurityGroups",
          "DescribeSnapshots",
          "DescribeSpotInstanceRequests",
          "DescribeVolumes");

  private static final Map<String, BucketSize> NAMED =
      Map.ofEntries(
          Map.entry("AssignIpv6Addresses", new BucketSize(100, 5)),
          Map.entry("AssignPrivateIpAddresses", new BucketSize(100, 5)),
          Map.entry("CreateNetworkInterface", new BucketSize(100, 5)),
          Map.entry("CreateTags", new BucketSize(100, 10)),
          Map.entry("DeleteNetworkInterface", new BucketSize(100, 5)),
          Map.entry("DeleteTags", new BucketSize(100, 10)),
          Map.entry("ModifyNetworkInterfaceAttribute", new BucketSize(100, 5)),
          Map.entry("RunInstances", new BucketSize(5, 2)),
          Map.entry("StartInstances", new BucketSize(5, 2)),
          Map.entry("TerminateInstances", new BucketSize(100, 5)),
          Map.entry("UnassignPrivateIpAddresses", new BucketSize(100, 5)));

  private static final Map<String, BucketSize> RESOURCES =
      Map.of(
          "RunInstances", new BucketSize(1000, 2),
          "StartInstances", new BucketSize(1000, 2),
          "StopInstances", new BucketSize(1000, 20),
          "TerminateInstances", new BucketSize(1000, 20));

  private DocumentedBuckets() {}

  /**
   * The documented bucket of an action's requests.
   *
   * @param bounded false for a read that has neither filter, ids nor page size
   */
  static BucketSize ofRequests(String action, boolean bounded) {
    @Nullable BucketSize named = NAMED.get(action);
    if (named != null) {
      return named;
    }
    if (READ_PREFIXES.stream().noneMatch(action::startsWith)) {
      return MUTATION;
    }
    return bounded || !UNBOUNDED_READS.contains(action) ? READ : UNBOUNDED_READ;
  }

  /** Whether unbounded reads of this action have a bucket of their own. */
  static boolean isSplit(String action) {
    return UNBOUNDED_READS.contains(action);
  }

  /** The documented bucket of the instances that an action touches; empty when there is none. */
  static Optional<BucketSize> ofResources(String action) {
    return Optional.ofNullable(RESOURCES.get(action));
  }
}
