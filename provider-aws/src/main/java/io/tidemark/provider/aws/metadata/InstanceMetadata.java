package io.tidemark.provider.aws.metadata;

import io.tidemark.provider.kit.start.MetadataUnavailable;
import java.util.Optional;

/** The metadata of the instance that we run on; every method blocks for two seconds at most. */
public interface InstanceMetadata {
  /**
   * The text at a path below {@code /latest/meta-data/}; empty if the instance has no such item.
   *
   * @throws MetadataUnavailable if the service does not respond
   */
  Optional<String> read(String path) throws MetadataUnavailable;

  /** The region. */
  default String region() throws MetadataUnavailable {
    return require("placement/region");
  }

  /** The id of the instance. */
  default String instanceId() throws MetadataUnavailable {
    return require("instance-id");
  }

  /** The name of the EKS cluster, when tags are allowed in the instance's metadata. */
  default Optional<String> clusterName() throws MetadataUnavailable {
    return read("tags/instance/aws:eks:cluster-name");
  }

  /** What an agent publishes. */
  default InstanceFields fields() throws MetadataUnavailable {
    String mac = require("mac");
    String of = "network/interfaces/macs/" + mac + "/";
    return new InstanceFields(
        require("instance-id"),
        require("instance-type"),
        mac,
        require(of + "vpc-id"),
        require(of + "subnet-id"),
        require("placement/availability-zone"));
  }

  private String require(String path) throws MetadataUnavailable {
    return read(path)
        .orElseThrow(() -> MetadataUnavailable.unusable("the instance's metadata have no " + path));
  }
}
