package io.tidemark.provider.aws.eni;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.AwsSubnet;
import io.tidemark.provider.aws.ec2.ConnectionTracking;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.InstanceType;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PoolId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Things that the tables of the specification name. */
final class Samples {
  static final EniSettings SETTINGS = SettingsSample.USUAL;

  private Samples() {}

  /** The settings with another option. */
  static EniSettings with(String option, boolean on) {
    return with(Map.of(option, on));
  }

  static EniSettings with(Map<String, Boolean> options) {
    return Copies.with(SETTINGS, "options", Copies.with(EniSettings.Options.NONE, options));
  }

  /** A type by what the table of 5.2 says. */
  static InstanceType type(String name) {
    return switch (name) {
      case "t3.micro" -> new InstanceType(name, 2, 2, 2, 2, "nitro", false);
      case "m4.large" -> new InstanceType(name, 2, 2, 10, 10, "xen", false);
      case "m5.large" -> new InstanceType(name, 3, 3, 10, 10, "nitro", false);
      case "m5.metal" -> new InstanceType(name, 15, 15, 50, 50, "", true);
      case "m8i.large" -> new InstanceType(name, 3, 3, 20, 20, "nitro", false);
      case "p5.48xlarge" -> new InstanceType(name, 2, 64, 50, 50, "nitro", false);
      case "hpc6id.32xlarge" -> new InstanceType(name, 1, 2, 50, 50, "nitro", false);
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** Of an m5.large in zone a of vpc-1, with something else. */
  static EniSpec spec(Map<String, ?> changes) {
    return Copies.with(
        Copies.with(
            EniSpec.EMPTY,
            Map.of(
                "instanceType", "m5.large",
                "firstInterfaceIndex", OptionalInt.of(0),
                "vpcId", "vpc-1",
                "availabilityZone", "a")),
        changes);
  }

  static EniSpec spec(int firstIndex, boolean usePrimary, Map<String, String> exclude) {
    return spec(
        Map.of(
            "firstInterfaceIndex", OptionalInt.of(firstIndex),
            "excludeInterfaceTags", exclude,
            "usePrimaryAddress", Optional.of(usePrimary)));
  }

  static EniSpec spec(List<String> subnetIds, Map<String, String> subnetTags, String nodeSubnet) {
    return spec(
        Map.of("subnetIds", subnetIds, "subnetTags", subnetTags, "nodeSubnetId", nodeSubnet));
  }

  static EniSlots slots(String type, EniSpec spec, boolean prefixes) {
    return slots(type, spec, prefixes, SETTINGS);
  }

  static EniSlots slots(String type, EniSpec spec, boolean prefixes, EniSettings settings) {
    return EniSlots.of(
        type(type),
        spec,
        new NodeSettings("node1", prefixes, true, false),
        settings,
        OptionalInt.empty());
  }

  /**
   * An interface at an index with so many singles (10.0.index.10 …) and prefixes (10.1.index.0/28
   * …).
   */
  static AwsEni eni(int index, int singles, int prefixes) {
    AddressSet.Builder all = AddressSet.builder();
    for (int i = 0; i < singles; i++) {
      all.add(IpAddress.parse("10.0." + index + "." + (10 + i)));
    }
    List<Cidr> blocks = new ArrayList<>();
    for (int i = 0; i < prefixes; i++) {
      blocks.add(Cidr.parse("10.1." + index + "." + 16 * i + "/28"));
    }
    return new AwsEni(
        new InterfaceId("eni-" + index),
        new AwsEni.Place("attach-" + index, 0, index, true),
        AwsEni.Kind.ORDINARY,
        new PoolId("s-1"),
        "02:00:00:00:00:0" + index,
        "",
        Optional.of(IpAddress.parse("10.0." + index + ".4")),
        all.build(),
        blocks,
        List.of(),
        List.of("sg-1"),
        Map.of(),
        Optional.empty(),
        ConnectionTracking.DEFAULT);
  }

  static AwsEni of(AwsEni eni, AwsEni.Kind kind, int card) {
    return Copies.with(eni, Map.of("kind", kind, "place", Copies.with(eni.place(), "card", card)));
  }

  static AwsEni tagged(AwsEni eni, Map<String, String> tags) {
    return Copies.with(eni, "tags", tags);
  }

  static AwsSubnet subnet(String id, String vpc, String zone, int free, Map<String, String> tags) {
    return new AwsSubnet(
        new PoolId(id),
        vpc,
        Cidr.parse("10.0.0.0/16"),
        Optional.empty(),
        true,
        zone,
        "",
        "",
        free,
        tags);
  }

  static Pool<AwsSubnet> pool(String id, int free) {
    return pool(subnet(id, "vpc-1", "a", free, Map.of()), false);
  }

  static Pool<AwsSubnet> pool(AwsSubnet subnet, boolean fragmented) {
    return new Pool<>(
        subnet.id(),
        subnet.availabilityZone(),
        subnet,
        subnet.usable(),
        subnet.availableAddresses(),
        OptionalInt.empty(),
        false,
        fragmented);
  }
}
