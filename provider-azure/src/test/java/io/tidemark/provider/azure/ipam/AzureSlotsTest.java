package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PoolId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The places of a machine (Z22, Z23)")
class AzureSlotsTest {
  private static final IpAddress PRIMARY = IpAddress.parse("10.0.0.4");

  /** An interface with one configuration that is no pod address. */
  private static Nic nic(String name) {
    return nic(name, 1, 0);
  }

  /** The same with so many of them, some of which the next write completes. */
  private static Nic nic(String name, int fixed, int incomplete) {
    return nic(name, Optional.of(PRIMARY), fixed, incomplete);
  }

  private static Nic nic(String name, Optional<IpAddress> primary, int fixed, int incomplete) {
    return new Nic(
        new InterfaceId(name),
        name,
        "00:0d:3a:00:00:01",
        "succeeded",
        name.equals("eth0"),
        "",
        new PoolId("subnet"),
        primary,
        AddressSet.of(),
        List.of(),
        AddressSet.of(),
        fixed,
        incomplete,
        Optional.empty());
  }

  private static Nic withBlocks(Nic nic, int blocks) {
    List<Cidr> all =
        IntStream.range(0, blocks).mapToObj(i -> Cidr.parse("10.1.0." + 16 * i + "/28")).toList();
    return nic.holding(AddressSet.of(), all);
  }

  private static AzureSlots slots(String wanted, boolean primaries, boolean blocks, Nic... all) {
    NodeSettings node = new NodeSettings("node", blocks, true, false);
    return AzureSlots.of(
        new AzureSpecJson(wanted, Optional.empty()), node, primaries, true, List.of(all));
  }

  private static AzureSlots slots(Nic... all) {
    return slots("", false, false, all);
  }

  private static int capacity(AzureSlots slots, Nic... all) {
    return slots.capacity(List.of(all), nic -> false);
  }

  @Test
  @DisplayName(
      "AZ-N16 what a failed write left incomplete leaves a place for each that is asked for")
  void incomplete() {
    Nic nic = nic("eth0", 250, 10);
    assertThat(slots(nic).freeSlots(nic)).isEqualTo(6 + 10);
    assertThat(capacity(slots(nic), nic)).isEqualTo(256 - 240);
  }

  @Test
  @DisplayName("AZ-N16 no places are left where others have more than fit, never less than none")
  void overfull() {
    Nic first = nic("eth0", 200, 0);
    Nic second = nic("eth1", 200, 0);
    AzureSlots slots = slots(first, second);
    assertThat(slots.freeSlots(first)).isZero();
    assertThat(capacity(slots, first, second)).isZero();
  }

  @Test
  @DisplayName("AZ-N16 an interface that has more by now than was counted takes all of them")
  void grown() {
    assertThat(slots(nic("eth0")).freeSlots(nic("eth0", 250, 0))).isEqualTo(6);
  }

  @Test
  @DisplayName("Z23 with blocks there is room for sixteen times the places, and 1,024 at most")
  void blocks() {
    Nic many = nic("eth0", 250, 0);
    assertThat(capacity(slots("", false, true, many), many)).isEqualTo(6 * 16);
    Nic few = nic("eth0");
    assertThat(capacity(slots("", false, true, few), few)).isEqualTo(1_024);
  }

  @Test
  @DisplayName("Z23 blocks of an interface that is not for pods take a place and serve no pod")
  void blocksOfOthers() {
    Nic own = nic("eth0");
    Nic second = withBlocks(nic("eth1"), 2);
    assertThat(capacity(slots(own, second), own, second)).isEqualTo(256 - 2 + 2 * 15);
    assertThat(capacity(slots("eth0", false, false, own, second), own, second))
        .isEqualTo(256 - 1 - 3);
  }

  @Test
  @DisplayName("Z23 a primary address serves pods where it may, there is one, and it is no node's")
  void primaries() {
    Nic own = nic("eth0");
    Nic second = nic("eth1");
    AzureSlots usable = slots("", true, false, own, second);
    assertThat(capacity(usable, own, second)).isEqualTo(256 - 1);
    assertThat(usable.ceiling(List.of(own, second))).hasValue(256);
    Nic without = nic("eth1", Optional.empty(), 1, 0);
    assertThat(capacity(slots("", true, false, own, without), own, without)).isEqualTo(256 - 2);
    assertThat(slots("", true, false, own).ceiling(List.of(own))).hasValue(255);
    assertThat(slots("eth0", true, false, own, second).ceiling(List.of(own, second)))
        .as("the other one is not for pods")
        .hasValue(255);
  }
}
