package io.tidemark.provider.kit.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.kit.Held;
import io.tidemark.spi.NodeSettings;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Room and capacity of one instance (node-manager 2.6)")
class SlotModelTest {
  private static final Held OWN = Held.of(0, "pool-a", 0, 0);
  private static final Held FULL = Held.of(1, "pool-a", 4, 0);
  private static final Held MIXED = Held.of(2, "pool-a", 1, 2);

  @Test
  @DisplayName("a single and a block take a place each; a full or unusable interface has no room")
  void room() {
    Machine machine = Machine.plain(3, 4);
    assertThat(machine.freeSlots(FULL)).isZero();
    assertThat(machine.freeSlots(MIXED)).isEqualTo(1);
    assertThat(machine.freeSlots(Held.of(3, "pool-a", 6, 0))).as("above the limit").isZero();
    assertThat(machine.hasRoom(FULL)).isFalse();
    assertThat(machine.hasRoom(MIXED)).isTrue();
    assertThat(machine.hasRoom(OWN)).as("serves no pods").isFalse();
  }

  @Test
  @DisplayName("a usable primary address is one of its interface's addresses")
  void podAddresses() {
    assertThat(Machine.plain(3, 4).podAddresses(MIXED).size()).isEqualTo(33);
    assertThat(Machine.plain(3, 4).withPrimary(false).podAddresses(MIXED).size()).isEqualTo(34);
  }

  @DisplayName("a node asks for blocks when the setting is on, they exist and it does not refuse")
  @ParameterizedTest(name = "setting {0}, disabled by the node {1}, possible {2}: {3}")
  @CsvSource({
    "true,       , true,  true",
    "true,  false, true,  true",
    "true,  true,  true,  false",
    "true,       , false, false",
    "false, false, true,  false",
  })
  void asksForBlocks(boolean setting, Boolean disabled, boolean possible, boolean expected) {
    NodeSettings node = new NodeSettings("n1", setting, false, false);
    assertThat(SlotModel.asksForBlocks(node, Optional.ofNullable(disabled), possible))
        .isEqualTo(expected);
  }

  @DisplayName("capacity of three interfaces with four places, of which the first serves no pods")
  @ParameterizedTest(name = "blocks {0}, primary {1}, as a place {2}: {3}")
  @CsvSource({
    "false, false, false,   8",
    "false, true,  false,  10",
    "true,  false, false, 128",
    "true,  true,  false, 130",
    "true,  true,  true,  160",
  })
  void capacity(boolean blocks, boolean primary, boolean takesPlace, int expected) {
    Machine machine = new Machine(3, 4, blocks, primary, false, takesPlace);
    assertThat(machine.capacity(List.of(OWN), each -> false)).isEqualTo(expected);
  }

  @Test
  @DisplayName("what a node has beyond its plan counts: blocks without blocks, a retired interface")
  void capacityOfWhatIsThere() {
    Machine machine = Machine.plain(3, 4);
    assertThat(machine.capacity(List.of(OWN, MIXED), each -> false))
        .as("two places hold blocks")
        .isEqualTo(8 + 2 * 15);
    assertThat(
            machine.capacity(List.of(OWN, Held.of(1, "pool-a", 1, 0)), each -> !each.equals(OWN)))
        .as("a retired interface gets no more than its one address")
        .isEqualTo(4 + 1);
  }

  @Test
  @DisplayName("sticky blocks end with the first interface of singles, and go back never")
  void sticky() {
    Machine each = Machine.plain(3, 4).withBlocks(false);
    Machine sticky = Machine.plain(3, 4).withBlocks(true);
    assertThat(each.delegated(List.of(FULL))).isTrue();
    assertThat(sticky.delegated(List.of(FULL))).isFalse();
    assertThat(sticky.delegated(List.of(MIXED))).as("it has a block, too").isTrue();
    assertThat(each.gives(MIXED)).isTrue();
    assertThat(sticky.gives(MIXED)).isFalse();
    assertThat(sticky.gives(FULL)).isTrue();
  }

  @DisplayName("no more is kept spare than the type can carry")
  @ParameterizedTest(name = "{0} interfaces with {1} places: {2}")
  @CsvSource({"2, 4, 4", "3, 4, 8", "9, 9, 8", "1, 4, 0", "0, 4, 0"})
  void preAllocate(int interfaces, int slots, int expected) {
    assertThat(Machine.plain(interfaces, slots).preAllocateDefault()).isEqualTo(expected);
  }

  @Test
  @DisplayName("the ceiling is what the interfaces for pods can hold; none where none is left")
  void ceiling() {
    assertThat(Machine.plain(3, 4).ceiling(List.of())).hasValue(8);
    assertThat(Machine.plain(3, 4).withPrimary(false).ceiling(List.of())).hasValue(10);
    assertThat(Machine.plain(3, 4).withBlocks(false).ceiling(List.of())).hasValue(128);
    assertThat(Machine.plain(0, 4).ceiling(List.of())).isEmpty();
  }

  @Test
  @DisplayName("what is counted by others changes no capacity, usable or not")
  void countedByOthers() {
    Machine machine = Machine.plain(3, 4);
    for (int number : new int[] {0, 1}) {
      assertThat(machine.capacity(List.of(Held.of(number, "others", 1, 0)), each -> true))
          .as("interface %s", number)
          .isEqualTo(12);
    }
  }

  @Test
  @DisplayName("an unusable interface gives nothing, and its blocks and retirement do not count")
  void unusable() {
    Machine machine = Machine.plain(3, 4).withBlocks(false);
    Held out = Held.of(0, "pool-a", 2, 2);
    assertThat(machine.gives(out)).isFalse();
    assertThat(Machine.plain(3, 4).capacity(List.of(out), each -> true)).isEqualTo(8);
    assertThat(Machine.plain(3, 4).capacity(List.of(out), each -> false)).isEqualTo(8);
    assertThat(machine.capacity(List.of(MIXED), each -> false))
        .as("where blocks are used they are counted by places")
        .isEqualTo(3 * 4 * 16);
    assertThat(Machine.plain(1, 4).capacity(List.of(out, OWN), each -> false))
        .as("never below none")
        .isZero();
  }

  @Test
  @DisplayName("what can be reached is what is left beside interfaces that give nothing")
  void reachable() {
    Machine machine = Machine.plain(3, 4);
    assertThat(machine.reachable(List.of())).as("the type alone").hasValue(8);
    assertThat(machine.reachable(List.of(OWN))).hasValue(8);
    assertThat(machine.reachable(List.of(OWN, Held.of(0, "pool-a", 0, 0))))
        .as("two of three give nothing")
        .hasValue(4);
    assertThat(Machine.plain(0, 4).reachable(List.of(OWN))).isEmpty();
    Machine parity = machine.withPrimary(true);
    assertThat(parity.reachable(List.of(OWN, OWN))).isEqualTo(parity.ceiling(List.of(OWN, OWN)));
  }

  /** The machine's own interface is usable, but for its primary address. */
  private record OwnUsable(Machine machine) implements SlotModel<Held> {
    @Override
    public int slots() {
      return machine.slots();
    }

    @Override
    public boolean own(Held each) {
      return each.id().text().equals("eni-0");
    }

    @Override
    public OptionalInt forPodsMax() {
      return OptionalInt.of(machine.interfaces());
    }

    @Override
    public boolean primaryUsable() {
      return machine.primaryUsable();
    }

    @Override
    public boolean primaryTakesPlace() {
      return machine.primaryTakesPlace();
    }
  }

  @Test
  @DisplayName("the primary address of the machine's own interface is never for pods, nor counted")
  void ownPrimary() {
    OwnUsable plain = new OwnUsable(Machine.plain(2, 4).withPrimary(false));
    List<Held> both = List.of(OWN, MIXED);
    assertThat(plain.ownInterface(List.of(MIXED, OWN))).contains(OWN);
    assertThat(plain.podAddresses(OWN).size()).isZero();
    assertThat(plain.podAddresses(MIXED).size()).isEqualTo(34);
    assertThat(plain.ceiling(both)).as("eight places and one primary address").hasValue(9);
    assertThat(plain.capacity(both, each -> false)).isEqualTo(9 + 2 * 15);
    assertThat(plain.reachable(both)).hasValue(9);
    OwnUsable without = new OwnUsable(Machine.plain(2, 4));
    assertThat(without.ceiling(both)).hasValue(8);
    assertThat(without.capacity(both, each -> false)).isEqualTo(8 + 2 * 15);
    OwnUsable parity = new OwnUsable(Machine.plain(2, 4).withPrimary(true));
    assertThat(parity.ceiling(both)).hasValue(8);
    assertThat(parity.capacity(both, each -> false)).isEqualTo(10 + 2 * 15);
  }
}
