package io.tidemark.provider.kit.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.NodeSettings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Room and capacity of one instance (node-manager 2.6)")
class SlotModelTest {
  private static final Port OWN = Port.of(0, "pool-a", 0, 0);
  private static final Port FULL = Port.of(1, "pool-a", 4, 0);
  private static final Port MIXED = Port.of(2, "pool-a", 1, 2);

  @Test
  @DisplayName("a single and a block take a place each; a full or unusable interface has no room")
  void room() {
    Machine machine = Machine.plain(3, 4);
    assertThat(machine.freeSlots(FULL)).isZero();
    assertThat(machine.freeSlots(MIXED)).isEqualTo(1);
    assertThat(machine.freeSlots(Port.of(3, "pool-a", 6, 0))).as("above the limit").isZero();
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
            machine.capacity(List.of(OWN, Port.of(1, "pool-a", 1, 0)), each -> !each.equals(OWN)))
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
}
