package io.tidemark.testing;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.UsedAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Ready-made values for tests; everything in them is invented. */
public final class Samples {
  private Samples() {}

  /** A node resource to be filled in. */
  public static NodeSample node(String name) {
    return new NodeSample(name);
  }

  /**
   * A node as the catalogue of node-manager 10.1 makes it: instance id {@code i-<name>}, and {@code
   * used} addresses 1.1.1.1 and up in use.
   */
  public static NodeResource node(String name, int preAllocate, int minAllocate, int used) {
    return node(name)
        .instanceId("i-" + name)
        .preAllocate(preAllocate)
        .minAllocate(minAllocate)
        .used(used)
        .build();
  }

  /** The node resource of a text that must be a valid one. */
  public static NodeResource parsed(String text) {
    return NodeResourceJson.parse(text, "a test's text")
        .match(
            resource -> resource,
            invalid -> {
              throw new AssertionError(invalid.problems().toString());
            });
  }

  /** An agent's description of an instance in subnet {@code subnet-a} of {@code vpc-a}. */
  public static EniSpec eniSpec(String instanceType) {
    return new EniSpec(
        instanceType,
        OptionalInt.of(0),
        List.of(),
        Map.of(),
        List.of(),
        Map.of(),
        "subnet-a",
        "vpc-a",
        "zone-a",
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** An interface in {@code subnet-a}, 10.0.0.0/16, with these secondary addresses. */
  public static EniStatus.Eni eni(String id, int number, String... addresses) {
    return new EniStatus.Eni(
        id,
        Optional.of(IpAddress.parse("10.0.255." + (10 + number))),
        String.format(Locale.ROOT, "02:00:00:00:00:%02x", number),
        "zone-a",
        "interface " + number,
        number,
        new EniStatus.SubnetRef("subnet-a", Optional.of(Cidr.parse("10.0.0.0/16"))),
        new EniStatus.VpcRef("vpc-a", Optional.of(Cidr.parse("10.0.0.0/16")), List.of()),
        Arrays.stream(addresses).map(IpAddress::parse).toList(),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of("sg-a"),
        Map.of());
  }

  /** Pods hold the first {@code count} addresses of the pool, and others 1.1.1.1 and up beyond. */
  public static NodeResource using(NodeResource resource, int count) {
    Map<IpAddress, UsedAddress> used = new TreeMap<>();
    for (IpAddress address : resource.pool().addresses().first(count)) {
      used.put(address, new UsedAddress("ns/pod-" + used.size(), ""));
    }
    for (int i = 1; used.size() < count; i++) {
      used.put(IpAddress.parse("1.1.1." + i), new UsedAddress("ns/other-" + i, ""));
    }
    return resource.withUsed(used);
  }
}
