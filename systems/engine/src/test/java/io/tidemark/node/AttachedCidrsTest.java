package io.tidemark.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import io.tidemark.testing.Samples;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a node holds, in blocks and in addresses")
class AttachedCidrsTest {
  private static final EngineConfig REFERENCE =
      EngineConfig.of(Map.of("ipam-profile", "reference"));

  private static Inventory.Known inventory(AttachedInterface... interfaces) {
    return new Inventory.Known(
        1, List.of(interfaces), new InterfaceStatistics(100, 2, 2, 1, 0, Optional.empty()));
  }

  private static AttachedInterface eni(String id, String addresses, String blocks) {
    AddressSet.Builder singles = AddressSet.builder();
    words(addresses).map(IpAddress::parse).forEach(singles::add);
    return new AttachedInterface(
        new InterfaceId(id), singles.build(), words(blocks).map(Cidr::parse).toList());
  }

  private static Stream<String> words(String text) {
    return Stream.of(text.split(" ")).filter(word -> !word.isEmpty());
  }

  private static NodeSnapshot snapshot(
      EngineConfig config, Inventory.Known inventory, String... used) {
    return NodeSnapshot.of(
        config,
        ResourceFacts.of(Samples.node("node1").instanceId("i-1").preAllocate(1).used(used).build()),
        inventory,
        OptionalInt.empty(),
        Optional.empty(),
        true,
        OptionalInt.empty(),
        OptionalInt.empty(),
        false);
  }

  private static Set<String> attached(AttachedInterface... interfaces) {
    return snapshot(EngineConfig.defaults(), inventory(interfaces)).attachedCidrs().stream()
        .map(Cidr::toString)
        .collect(Collectors.toSet());
  }

  @Test
  @DisplayName("AWS-26 attached CIDRs: none, then addresses and blocks of two interfaces, IPv6 too")
  void cidrs() {
    assertEquals(Set.of(), attached());
    assertEquals(Set.of(), attached(eni("eni-1", "", "")));
    assertEquals(
        Set.of("10.0.0.1/32", "10.0.0.16/28", "2001:db8::1/128", "2001:db8:1::/80"),
        attached(
            eni("eni-1", "10.0.0.1 2001:db8::1", ""),
            eni("eni-2", "", "10.0.0.16/28 2001:db8:1::/80")));
    assertEquals(
        Set.of("10.0.0.16/28", "10.0.1.5/32"), attached(eni("eni-1", "10.0.1.5", "10.0.0.16/28")));
  }

  @Test
  @DisplayName(
      "AWS-20 two blocks, an address of each in use: 32 as the reference counts, 2 as we do")
  void usedWithPrefixes() {
    Inventory.Known inventory = inventory(eni("eni-1", "", "10.10.128.0/28 10.10.128.16/28"));
    String[] used = {"10.10.128.2", "10.10.128.18"};
    assertEquals(
        32,
        NodeSnapshot.usedWithBlocks(
            inventory, AddressSet.of(IpAddress.parse(used[0]), IpAddress.parse(used[1]))));
    EngineConfig ours = EngineConfig.defaults();
    assertEquals(2, snapshot(ours, inventory, used).statistics().used());
    assertEquals(29, snapshot(ours, inventory, used).statistics().excess());
    assertEquals(0, snapshot(REFERENCE, inventory, used).statistics().excess());
  }

  @Test
  @DisplayName("AWS-20 an address of nobody's interface: counted by us, not by the reference")
  void usedElsewhere() {
    Inventory.Known inventory = inventory(eni("eni-1", "10.0.0.1 10.0.0.2 10.0.0.3", ""));
    EngineConfig ours = EngineConfig.defaults();
    assertEquals(1, snapshot(ours, inventory, "192.0.2.1").statistics().excess());
    assertEquals(2, snapshot(REFERENCE, inventory, "192.0.2.1").statistics().excess());
  }
}
