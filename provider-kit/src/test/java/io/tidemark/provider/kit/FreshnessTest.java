package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.spi.InterfaceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every write happens at second 1,000 and has generation 5 unless the test says otherwise. */
@DisplayName("D-4 how much a read is believed against our own writes")
class FreshnessTest {
  private static final Duration EXPIRY = Duration.ofMinutes(2);
  private static final Duration HORIZON = Duration.ofMinutes(1);
  private static final InterfaceId ENI_0 = new InterfaceId("eni-0");
  private static final InterfaceId ENI_1 = new InterfaceId("eni-1");
  private static final long WRITTEN_NANOS = Duration.ofSeconds(1_000).toNanos();
  private static final Cidr BLOCK = Cidr.parse("10.1.0.0/28");

  private final Freshness freshness = new Freshness(EXPIRY, HORIZON);

  private static List<Held> read(int singles) {
    return List.of(Held.holding(ENI_0, singles));
  }

  private static AddressSet first(int singles) {
    return Held.holding(ENI_0, singles).singles();
  }

  private static OwnWrite<Held> confirmed(long generation, Change<Held> change) {
    return new OwnWrite<>(generation, WRITTEN_NANOS, true, change);
  }

  private static OwnWrite<Held> lost(long generation, Change<Held> change) {
    return new OwnWrite<>(generation, WRITTEN_NANOS, false, change);
  }

  private static Change<Held> added(int singles) {
    return new Change.Added<>(ENI_0, first(singles), List.of());
  }

  private static Change<Held> removed(InterfaceId on, int singles) {
    return new Change.Removed<>(on, first(singles), List.of());
  }

  private static ReadMark began(long generation, Duration afterWrite) {
    return new ReadMark(generation, WRITTEN_NANOS + afterWrite.toNanos());
  }

  private Freshness.Merged<Held> merge(
      List<Held> read, Duration afterWrite, List<OwnWrite<Held>> writes) {
    return freshness.merge(read, writes, began(9, afterWrite));
  }

  private static int singles(Freshness.Merged<Held> merged) {
    return merged.interfaces().get(0).singles().size();
  }

  @ParameterizedTest(name = "generation {0}, {1} ns short of the expiry: {2} addresses")
  @DisplayName(
      "a confirmed write wins over reads that began before it, or less than its expiry after")
  @CsvSource({"4, -1, 8", "4, 1, 8", "5, 1, 8", "5, 0, 0", "6, 1, 8", "6, 0, 0", "6, -1, 0"})
  void confirmedWrite(long readGeneration, long early, int addresses) {
    ReadMark mark = began(readGeneration, EXPIRY.minusNanos(early));
    Freshness.Merged<Held> merged = freshness.merge(read(0), List.of(confirmed(5, added(8))), mark);
    assertThat(singles(merged)).isEqualTo(addresses);
    assertThat(merged.remembered()).hasSize(addresses / 8);
  }

  @ParameterizedTest(name = "{0} of 8 shown")
  @DisplayName("a confirmed write that a read shows in part is neither halved nor forgotten")
  @ValueSource(ints = {0, 3, 8})
  void confirmedInPart(int shown) {
    List<OwnWrite<Held>> writes = List.of(confirmed(5, added(8)));
    Freshness.Merged<Held> merged = merge(read(shown), Duration.ofSeconds(1), writes);
    assertThat(singles(merged)).isEqualTo(8);
    assertThat(merged.remembered()).isEqualTo(writes);
    List<OwnWrite<Held>> attachment =
        List.of(confirmed(5, new Change.Attached<>(Held.holding(ENI_0, 8))));
    merged = merge(read(shown), Duration.ofSeconds(1), attachment);
    assertThat(singles(merged)).isEqualTo(8);
    assertThat(merged.remembered()).isEqualTo(attachment);
  }

  @Test
  @DisplayName("a removal that a read shows in part takes all away, and stays remembered")
  void removedInPart() {
    List<OwnWrite<Held>> writes = List.of(confirmed(5, removed(ENI_0, 5)));
    List<Held> read = List.of(Held.of(ENI_0, first(8).last(5), List.of()));
    Freshness.Merged<Held> merged = merge(read, Duration.ofSeconds(1), writes);
    assertThat(merged.interfaces().get(0).singles()).isEqualTo(first(8).last(3));
    assertThat(merged.remembered()).isEqualTo(writes);
  }

  @Test
  @DisplayName(
      "a lost write is in doubt for the horizon, however soon confirmed ones are forgotten")
  void longHorizon() {
    Freshness lagging = new Freshness(Duration.ofSeconds(10), HORIZON);
    OwnWrite<Held> write = lost(5, new Change.AssignLost<>(ENI_0, 3));
    List<OwnWrite<Held>> writes = List.of(write, confirmed(6, added(1)));
    assertThat(lagging.merge(read(3), writes, began(9, Duration.ofSeconds(30))).remembered())
        .containsExactly(write);
  }

  @Test
  @DisplayName("a read that is believed about a lost write is believed about everything before it")
  void believedAboutAllBefore() {
    List<OwnWrite<Held>> writes =
        List.of(
            confirmed(3, added(2)),
            lost(5, new Change.AssignLost<>(ENI_0, 2)),
            confirmed(6, new Change.Added<>(ENI_0, first(8).last(1), List.of())));
    Freshness.Merged<Held> merged = merge(read(0), HORIZON, writes);
    assertThat(singles(merged)).isEqualTo(1);
    assertThat(merged.remembered()).containsExactly(writes.get(2));
  }

  @ParameterizedTest(name = "{0} held before, {1} read, by a read of generation {2}: settled {3}")
  @DisplayName("a lost assignment is settled by growth that a read shows which began after it")
  @CsvSource({"3, 3, 9, false", "3, 4, 9, true", "3, 4, 5, true", "3, 4, 4, false"})
  void lostAssignment(int before, int shown, long readGeneration, boolean settled) {
    Freshness.Merged<Held> merged =
        freshness.merge(
            read(shown),
            List.of(lost(5, new Change.AssignLost<>(ENI_0, before))),
            began(readGeneration, Duration.ofSeconds(1)));
    assertThat(Freshness.settled(merged.remembered())).as("settled").isEqualTo(settled);
    assertThat(Freshness.doubtful(merged.remembered())).as("in doubt").isNotEqualTo(settled);
  }

  @Test
  @DisplayName("of a lost assignment that a read shows in part this part is not lost again")
  void lostAssignmentInPart() {
    List<Held> part = List.of(Held.holding(ENI_0, 4), Held.holding(ENI_1, 9));
    Freshness.Merged<Held> seen =
        merge(part, Duration.ofSeconds(1), List.of(lost(5, new Change.AssignLost<>(ENI_0, 3))));
    assertThat(Freshness.settled(seen.remembered())).as("settled").isTrue();
    List<Held> earlier = List.of(Held.holding(ENI_0, 3), Held.holding(ENI_1, 2));
    assertThat(merge(earlier, Duration.ofSeconds(2), seen.remembered()).interfaces())
        .as("what was shown of its own interface, and nothing of the other one")
        .containsExactly(Held.holding(ENI_0, 4), Held.holding(ENI_1, 2));
    assertThat(singles(merge(read(8), Duration.ofSeconds(3), seen.remembered()))).isEqualTo(8);
  }

  @Test
  @DisplayName("growth of another interface settles no lost assignment")
  void growthElsewhere() {
    List<Held> read = List.of(Held.holding(ENI_0, 3), Held.holding(ENI_1, 9));
    OwnWrite<Held> write = lost(5, new Change.AssignLost<>(ENI_0, 3));
    assertThat(merge(read, Duration.ZERO, List.of(write)).remembered()).containsExactly(write);
  }

  @ParameterizedTest(name = "{0} taken from {1}, {2} before it: settled {3}")
  @DisplayName("growth settles a lost assignment unless it may be what was taken before it")
  @CsvSource({
    "1, eni-0, true, false",
    "1, eni-0, false, true",
    "1, eni-1, true, true",
    "0, eni-0, true, true"
  })
  void broughtBack(int taken, String from, boolean before, boolean settled) {
    OwnWrite<Held> removal = confirmed(before ? 4 : 6, removed(new InterfaceId(from), taken));
    OwnWrite<Held> assignment = lost(5, new Change.AssignLost<>(ENI_0, 2));
    List<Held> read = List.of(Held.holding(ENI_0, 6), Held.holding(ENI_1, 6));
    List<OwnWrite<Held>> writes =
        before ? List.of(removal, assignment) : List.of(assignment, removal);
    Freshness.Merged<Held> merged = merge(read, Duration.ofSeconds(1), writes);
    assertThat(Freshness.settled(merged.remembered())).as("settled").isEqualTo(settled);
  }

  @Test
  @DisplayName(
      "what a read has shown of a lost attachment is not undone by a read of earlier state")
  void lostAttachment() {
    OwnWrite<Held> write = lost(5, new Change.AttachLost<>(ENI_1));
    Freshness.Merged<Held> unseen = merge(read(3), Duration.ofSeconds(1), List.of(write));
    assertThat(unseen.remembered()).containsExactly(write);
    assertThat(Freshness.doubtful(unseen.remembered())).as("in doubt while unseen").isTrue();

    List<Held> both =
        List.of(
            Held.holding(ENI_0, 3),
            Held.holding(ENI_1, 4),
            Held.holding(new InterfaceId("eni-2"), 5));
    Freshness.Merged<Held> seen = merge(both, Duration.ofSeconds(2), unseen.remembered());
    assertThat(Freshness.settled(seen.remembered())).as("settled when seen").isTrue();
    assertThat(merge(read(3), Duration.ofSeconds(3), seen.remembered()).interfaces())
        .isEqualTo(both.subList(0, 2));
  }

  @ParameterizedTest(name = "{0} of 3 shown, shortly before {1}: settled {2}")
  @DisplayName("a lost removal is settled by a read without it that knew the addresses")
  @CsvSource({
    "0, nothing,  true",
    "1, nothing,  false",
    "3, nothing,  false",
    "0, added,    false",
    "0, attached, false",
    "0, others,   true"
  })
  void lostRemoval(int shown, String before, boolean settled) {
    OwnWrite<Held> removal = lost(5, removed(ENI_0, 3));
    List<OwnWrite<Held>> writes = new ArrayList<>();
    switch (before) {
      case "added" -> writes.add(confirmed(4, added(3)));
      case "attached" -> writes.add(confirmed(4, new Change.Attached<>(Held.holding(ENI_0, 3))));
      case "others" -> writes.add(confirmed(4, new Change.Added<>(ENI_1, first(3), List.of())));
      default -> assertThat(before).isEqualTo("nothing");
    }
    writes.add(removal);
    Freshness.Merged<Held> merged = merge(read(shown), Duration.ofSeconds(1), writes);
    assertThat(Freshness.settled(merged.remembered())).as("settled").isEqualTo(settled);
    assertThat(singles(merged)).isZero();
  }

  @Test
  @DisplayName("a lost removal of a block is judged by the block")
  void lostRemovalOfBlock() {
    OwnWrite<Held> removal = lost(5, new Change.Removed<>(ENI_0, AddressSet.of(), List.of(BLOCK)));
    List<Held> holding = List.of(Held.of(ENI_0, first(1), List.of(BLOCK)));
    assertThat(
            Freshness.settled(merge(holding, HORIZON.minusNanos(1), List.of(removal)).remembered()))
        .as("settled while a read shows the block")
        .isFalse();
    assertThat(Freshness.settled(merge(read(1), Duration.ZERO, List.of(removal)).remembered()))
        .as("settled by a read without the block")
        .isTrue();
  }

  @Test
  @DisplayName("a repeatable request whose answer was lost leaves nothing to be found out")
  void unclear() {
    List<OwnWrite<Held>> writes = List.of(lost(5, new Change.Unclear<>()));
    assertThat(Freshness.settled(writes)).as("settled").isTrue();
    assertThat(Freshness.doubtful(writes)).as("in doubt").isFalse();
    assertThat(merge(read(2), Duration.ofSeconds(1), writes).remembered()).isEqualTo(writes);
  }
}
