package io.tidemark.agent.eni;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.EniStatus.Eni;
import io.tidemark.resource.EniStatus.SubnetRef;
import io.tidemark.resource.EniStatus.VpcRef;
import io.tidemark.resource.NodeResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** An interface in the making: addresses with a prefix length are prefixes. */
public record TestEni(
    String id,
    int number,
    String primary,
    List<String> holds,
    VpcRef vpc,
    Map<String, String> tags) {
  private static final VpcRef VPC =
      new VpcRef("vpc-1", Optional.of(Cidr.parse("10.0.0.0/16")), List.of());

  /** Interface {@code id} with index 1, primary address 10.0.0.1. */
  public static TestEni of(String id, String... holds) {
    return new TestEni(id, 1, "10.0.0.1", List.of(holds), VPC, Map.of());
  }

  TestEni number(int index) {
    return new TestEni(id, index, primary, holds, vpc, tags);
  }

  TestEni tagged(String key, String value) {
    return new TestEni(id, number, primary, holds, vpc, Map.of(key, value));
  }

  TestEni vpc(String primaryCidr, String... others) {
    VpcRef changed =
        new VpcRef(
            "vpc-1",
            Cidr.tryParse(primaryCidr),
            List.of(others).stream().map(Cidr::parse).toList());
    return new TestEni(id, number, primary, holds, changed, tags);
  }

  Eni eni() {
    List<IpAddress> addresses = new ArrayList<>();
    List<Cidr> prefixes = new ArrayList<>();
    List<Cidr> ipv6Prefixes = new ArrayList<>();
    for (String each : holds) {
      if (each.contains("/")) {
        Cidr prefix = Cidr.parse(each);
        (prefix.family() == IpFamily.IPV4 ? prefixes : ipv6Prefixes).add(prefix);
      } else {
        addresses.add(IpAddress.parse(each));
      }
    }
    return new Eni(
        id,
        IpAddress.tryParse(primary),
        "mac-" + id,
        "zone",
        "",
        number,
        new SubnetRef("subnet-1", Optional.of(Cidr.parse("10.0.0.0/24"))),
        vpc,
        addresses,
        prefixes,
        ipv6Prefixes,
        Optional.empty(),
        List.of(),
        tags);
  }

  static EniStatus status(TestEni... enis) {
    Map<String, Eni> all = new TreeMap<>();
    for (TestEni each : enis) {
      all.put(each.id(), each.eni());
    }
    return new EniStatus(new TreeMap<>(all));
  }

  public static NodeResource node(NodeResource base, TestEni... enis) {
    return base.withEniStatus(status(enis));
  }
}
