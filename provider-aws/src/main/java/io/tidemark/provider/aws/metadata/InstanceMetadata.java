package io.tidemark.provider.aws.metadata;

import io.tidemark.provider.kit.start.MetadataUnavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The metadata of the instance that we run on; every method blocks for two seconds at most. */
public interface InstanceMetadata {
  /**
   * The text at a path below {@code /latest/meta-data/}; empty if the instance has no such item.
   *
   * @throws MetadataUnavailable if the service does not respond
   */
  Optional<String> read(String path) throws MetadataUnavailable;

  default String region() throws MetadataUnavailable {
    return require("placement/region");
  }

  default String instanceId() throws MetadataUnavailable {
    return require("instance-id");
  }

  /** The name of the EKS cluster, when tags are allowed in the instance's metadata. */
  default Optional<String> clusterName() throws MetadataUnavailable {
    return read("tags/instance/aws:eks:cluster-name");
  }

  /** The facts that a program on a node needs. */
  default InstanceFields fields() throws MetadataUnavailable {
    String mac = require("mac");
    String of = "network/interfaces/macs/" + mac + "/";
    return new InstanceFields(
        require("instance-id"),
        require("instance-type"),
        mac,
        require(of + "vpc-id"),
        require(of + "subnet-id"),
        require("placement/availability-zone"),
        MetadataInterface.cidrs(
            mac,
            lines(
                read(of + "vpc-ipv4-cidr-blocks").orElse("")
                    + "\n"
                    + read(of + "vpc-ipv6-cidr-blocks").orElse(""))),
        read("local-ipv4").orElse(""),
        read("ipv6").orElse(""));
  }

  /** Every interface that is attached, in the order of the service; none of them is left out. */
  default List<MetadataInterface> interfaces() throws MetadataUnavailable {
    String all = "network/interfaces/macs/";
    List<MetadataInterface> found = new ArrayList<>();
    for (String line : lines(require(all))) {
      String mac = line.replaceFirst("/$", "");
      String of = all + mac + "/";
      found.add(
          MetadataInterface.of(
              mac,
              require(of + "interface-id"),
              require(of + "device-number"),
              read(of + "network-card"),
              read(of + "subnet-id").orElse(""),
              lines(read(of + "local-ipv4s").orElse("")),
              lines(read(of + "ipv4-prefix").orElse("")),
              lines(read(of + "ipv6-prefix").orElse(""))));
    }
    return List.copyOf(found);
  }

  private static List<String> lines(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }

  private String require(String path) throws MetadataUnavailable {
    return read(path)
        .map(String::strip)
        .filter(text -> !text.isEmpty())
        .orElseThrow(() -> MetadataUnavailable.unusable("the instance's metadata have no " + path));
  }
}
