package io.tidemark.it.benchmark;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.EniStatus.Eni;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.UsedAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Node resources of a given size, for measuring. */
final class NodeResources {
  private static final Cidr BLOCK = Cidr.parse("10.10.0.0/15");

  private NodeResources() {}

  /** A node whose every address is in use. */
  static NodeResource full(int interfaces, int addressesEach) {
    Map<String, AddressSet> pool = new HashMap<>();
    Map<IpAddress, UsedAddress> used = new HashMap<>();
    TreeMap<String, Eni> enis = new TreeMap<>();
    for (int i = 0; i < interfaces; i++) {
      String id = String.format("eni-0123456789abcde%02x", i);
      AddressSet.Builder addresses = AddressSet.builder();
      for (int j = 0; j < addressesEach; j++) {
        int number = i * addressesEach + j;
        IpAddress address = BLOCK.address(32_768 + number);
        addresses.add(address);
        used.put(address, new UsedAddress("default/web-" + number, id));
      }
      AddressSet all = addresses.build();
      pool.put(id, all);
      enis.put(id, eni(id, i, all));
    }
    return NodeResource.named("ip-10-10-0-10.example.internal")
        .withResourceVersion("4711")
        .withInstanceId("i-0123456789abcdef0")
        .withIpam(IpamSpec.of(8, 10, 0, 2))
        .withPool(PodIpPool.of(pool))
        .withUsed(used)
        .withEniStatus(new EniStatus(enis));
  }

  private static Eni eni(String id, int number, AddressSet addresses) {
    return new Eni(
        id,
        Optional.of(BLOCK.address(16 + number)),
        String.format("02:00:00:00:00:%02x", number),
        "zone-a",
        "interface " + number,
        number,
        new EniStatus.SubnetRef("subnet-a", Optional.of(BLOCK)),
        new EniStatus.VpcRef("vpc-a", Optional.of(BLOCK), List.of()),
        addresses.toList(),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of("sg-a"),
        Map.of());
  }
}
