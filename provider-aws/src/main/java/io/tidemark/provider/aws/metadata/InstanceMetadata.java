package io.tidemark.provider.aws.metadata;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.start.MetadataUnavailable;
import io.tidemark.spi.InstanceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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

  /** The instance; its region is {@code named}, or else read. */
  default InstancePlace place(Optional<String> named) throws MetadataUnavailable {
    String of = "network/interfaces/macs/" + require("mac") + "/";
    return new InstancePlace(
        new InstanceId(require("instance-id")),
        require("instance-type"),
        named.isPresent() ? named.get() : region(),
        require(of + "vpc-id"),
        require("placement/availability-zone"),
        parsed("vpc", Cidr::parse, of + "vpc-ipv4-cidr-blocks", of + "vpc-ipv6-cidr-blocks"),
        read("local-ipv4").orElse(""),
        read("ipv6").orElse(""));
  }

  /**
   * Every interface that is attached, in the order of the service; none of them is left out. Their
   * tags are not told, so all are for pods.
   */
  default List<InstanceInterface> interfaces() throws MetadataUnavailable {
    String all = "network/interfaces/macs/";
    List<InstanceInterface> found = new ArrayList<>();
    for (String line : lines(require(all))) {
      String mac = line.replaceFirst("/$", "");
      String of = all + mac + "/";
      String id = require(of + "interface-id");
      List<IpAddress> addresses = parsed(id, IpAddress::parse, of + "local-ipv4s");
      found.add(
          new InstanceInterface(
              id,
              parsed(id, Integer::valueOf, of + "network-card").stream().findFirst().orElse(0),
              parsed(id, Integer::valueOf, of + "device-number").stream()
                  .findFirst()
                  .orElseThrow(() -> missing(of + "device-number")),
              mac,
              read(of + "subnet-id").orElse(""),
              InstanceInterface.Use.PODS,
              false,
              AddressSet.copyOf(
                  addresses.stream().skip(1).toList()), // the first is the primary one
              parsed(id, Cidr::parse, of + "ipv4-prefix"),
              parsed(id, Cidr::parse, of + "ipv6-prefix")));
    }
    return found;
  }

  /** The values at these paths, a line each, of the thing of this id. */
  private <T> List<T> parsed(String id, Function<String, T> how, String... paths)
      throws MetadataUnavailable {
    List<T> all = new ArrayList<>();
    for (String path : paths) {
      try {
        lines(read(path).orElse("")).forEach(line -> all.add(how.apply(line)));
      } catch (IllegalArgumentException wrong) {
        throw MetadataUnavailable.unusable(
            "the instance's metadata of " + id + " are not readable: " + wrong.getMessage());
      }
    }
    return all;
  }

  private static List<String> lines(String text) {
    return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
  }

  private String require(String path) throws MetadataUnavailable {
    return read(path)
        .map(String::strip)
        .filter(text -> !text.isEmpty())
        .orElseThrow(() -> missing(path));
  }

  private static MetadataUnavailable missing(String path) {
    return MetadataUnavailable.unusable("the instance's metadata have no " + path);
  }
}
