package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("D-2 D-4 the inventory")
class InstanceInventoryTest {
  private static final InstanceId ID = new InstanceId("i-1");
  private static final InterfaceId ENI_0 = new InterfaceId("eni-0");
  private static final Duration EXPIRY = Duration.ofMinutes(2);
  private static final AddressSet EIGHT = Card.holding(ENI_0, 8).singles();

  private final VirtualTime time = new VirtualTime(0);
  private final InstanceInventory<Card> inventory =
      new InstanceInventory<>(time, EXPIRY, Duration.ofMinutes(1));

  private static List<Card> one(int singles) {
    return List.of(Card.holding(ENI_0, singles));
  }

  private void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  private int singles() {
    return inventory.find(ID).orElseThrow().interfaces().get(0).singles().size();
  }

  private void read(int singles) {
    inventory.accept(inventory.beginRead(), ID, one(singles));
  }

  private long add(int singles) {
    return inventory.wrote(ID, true, new Change.Added<>(ENI_0, EIGHT.first(singles), List.of()));
  }

  private long remove(int singles) {
    return inventory.wrote(ID, true, new Change.Removed<>(ENI_0, EIGHT.first(singles), List.of()));
  }

  @Test
  @DisplayName("a read that began before an own write never undoes it, however late it ends")
  void readBeforeWrite() {
    read(0);
    ReadMark before = inventory.beginRead();
    long written = add(8);
    assertThat(written).isGreaterThan(before.generation());

    inventory.accept(before, ID, one(0));
    assertThat(singles()).isEqualTo(8);
    pass(Duration.ofHours(1));
    inventory.accept(before, ID, one(0));
    assertThat(singles()).isEqualTo(8);
  }

  @Test
  @DisplayName("a later read that contradicts an own write is believed only when the write is old")
  void contradiction() {
    read(8);
    remove(3);
    read(8);
    assertThat(singles()).isEqualTo(5);
    pass(EXPIRY.minusNanos(1));
    read(8);
    assertThat(singles()).isEqualTo(5);
    pass(Duration.ofNanos(1));
    read(8);
    assertThat(singles()).isEqualTo(8);
  }

  @ParameterizedTest(name = "{0} of 5")
  @DisplayName("an assignment that the next listing shows in part is there as a whole")
  @ValueSource(ints = {0, 3, 5})
  void shownInPart(int shown) {
    read(0);
    add(5);
    read(shown);
    assertThat(singles()).isEqualTo(5);
    read(0);
    assertThat(singles()).as("and with the listing after it").isEqualTo(5);
  }

  @Test
  @DisplayName("writes are replayed in their order: what was given back and taken again is there")
  void order() {
    read(8);
    remove(3);
    add(2);
    read(8);
    assertThat(singles()).isEqualTo(7);
    remove(8);
    read(8);
    assertThat(singles()).isZero();
  }

  @Test
  @DisplayName("an interface attached a moment ago stays though no read shows it")
  void attached() {
    read(0);
    inventory.wrote(ID, true, new Change.Attached<>(Card.holding(new InterfaceId("eni-1"), 3)));
    inventory.wrote(
        ID, true, new Change.Removed<>(new InterfaceId("eni-1"), AddressSet.of(), List.of()));
    read(0);
    assertThat(inventory.find(ID).orElseThrow().interfaces()).hasSize(2);
    inventory.accept(
        inventory.beginRead(),
        ID,
        List.of(Card.holding(ENI_0, 0), Card.holding(new InterfaceId("eni-1"), 3)));
    assertThat(inventory.find(ID).orElseThrow().interfaces()).hasSize(2);
    pass(EXPIRY);
    read(0);
    assertThat(inventory.find(ID).orElseThrow().interfaces()).hasSize(1);
  }

  @Test
  @DisplayName("of two reads the one that began later wins, in whatever order they end")
  void readsOvertake() {
    ReadMark first = inventory.beginRead();
    ReadMark second = inventory.beginRead();
    inventory.accept(second, ID, one(5));
    inventory.accept(first, ID, one(2));
    assertThat(singles()).isEqualTo(5);
  }

  @Test
  @DisplayName("so it is with an instance that is known already")
  void readsOvertakeLater() {
    read(1);
    readsOvertake();
  }

  @Test
  @DisplayName("what an old read adds to an own write does not let the generation fall")
  void oldReadAfterWrite() {
    read(2);
    ReadMark old = inventory.beginRead();
    long written = add(4);
    inventory.accept(old, ID, one(6));
    assertThat(singles()).isEqualTo(6);
    assertThat(inventory.find(ID).orElseThrow().generation()).isEqualTo(written);
  }

  @Test
  @DisplayName("the same object until something changed; its generation never falls")
  void identity() {
    read(5);
    InstanceView<Card> view = inventory.find(ID).orElseThrow();
    read(5);
    assertThat(inventory.find(ID)).containsSame(view);
    long written = add(8);
    InstanceView<Card> changed = inventory.find(ID).orElseThrow();
    assertThat(changed.generation()).isEqualTo(written).isGreaterThan(view.generation());
    ReadMark covering = inventory.beginRead();
    assertThat(covering.generation()).isGreaterThanOrEqualTo(changed.generation());
  }

  @Test
  @DisplayName(
      "the outcome of a lost removal is what a read says that could see it, not older writes")
  void lostRemoval() {
    read(0);
    add(8);
    inventory.wrote(ID, false, new Change.Removed<>(ENI_0, EIGHT.first(3), List.of()));
    assertThat(singles()).isEqualTo(5);
    assertThat(inventory.accept(inventory.beginRead(), ID, one(8))).isFalse();
    assertThat(singles()).isEqualTo(5);

    pass(Duration.ofMinutes(1));
    Card without = Card.holding(ENI_0, 8).minus(EIGHT.first(3), List.of());
    assertThat(inventory.accept(inventory.beginRead(), ID, List.of(without))).isTrue();
    assertThat(singles()).isEqualTo(5);
    read(8);
    assertThat(singles()).isEqualTo(8);
  }

  @Test
  @DisplayName("reads cover a request with a lost response once they tell what became of it")
  void covered() {
    read(8);
    long lost = inventory.wrote(ID, false, new Change.Removed<>(ENI_0, EIGHT.first(3), List.of()));
    ReadMark tooEarly = inventory.beginRead();
    inventory.accept(tooEarly, ID, one(8));
    assertThat(inventory.covered(tooEarly.generation())).isLessThan(lost);
    assertThat(inventory.covered(lost - 2)).isEqualTo(lost - 2);

    pass(Duration.ofMinutes(1));
    ReadMark later = inventory.beginRead();
    inventory.accept(later, ID, one(8));
    assertThat(inventory.covered(later.generation())).isEqualTo(later.generation());
  }

  @Test
  @DisplayName("reads cover a confirmed request, also while it takes precedence over them")
  void coversConfirmed() {
    read(8);
    remove(3);
    ReadMark later = inventory.beginRead();
    inventory.accept(later, ID, one(8));
    assertThat(inventory.covered(later.generation())).isEqualTo(later.generation());
  }

  @Test
  @DisplayName("a doubt is over when the horizon is, though nothing else has changed")
  void doubtEnds() {
    read(3);
    inventory.wrote(ID, false, new Change.AssignLost<>(ENI_0, 3));
    pass(Duration.ofMinutes(1));
    read(3);
    assertThat(inventory.find(ID).orElseThrow().doubtful()).isFalse();
  }

  @Test
  @DisplayName("a lost assignment is settled by the first read that shows growth")
  void lostAssignment() {
    read(3);
    inventory.wrote(ID, false, new Change.AssignLost<>(ENI_0, 3));
    assertThat(inventory.find(ID).orElseThrow().doubtful()).isTrue();
    assertThat(inventory.accept(inventory.beginRead(), ID, one(3))).isFalse();
    assertThat(inventory.accept(inventory.beginRead(), ID, one(8))).isTrue();
    assertThat(inventory.find(ID).orElseThrow().doubtful()).isFalse();
    assertThat(singles()).isEqualTo(8);
  }

  @Test
  @DisplayName(
      "what a read has shown of a lost assignment is not undone by a read of earlier state")
  void lostAssignmentShown() {
    read(3);
    inventory.wrote(ID, false, new Change.AssignLost<>(ENI_0, 3));
    read(8);
    read(3);
    assertThat(singles()).isEqualTo(8);
    assertThat(inventory.find(ID).orElseThrow().doubtful()).isFalse();
    remove(2);
    read(3);
    assertThat(singles()).isEqualTo(6);
    pass(EXPIRY);
    read(3);
    assertThat(singles()).isEqualTo(3);
  }

  @Test
  @DisplayName("a lost assignment may bring back what we took: growth beside it settles nothing")
  void lostAssignmentOfReleased() {
    read(3);
    remove(1);
    inventory.wrote(ID, false, new Change.AssignLost<>(ENI_0, 2));
    assertThat(inventory.accept(inventory.beginRead(), ID, one(5))).isFalse();
    assertThat(inventory.find(ID).orElseThrow().doubtful()).isTrue();
    pass(Duration.ofMinutes(1));
    assertThat(inventory.accept(inventory.beginRead(), ID, one(5))).isTrue();
    assertThat(inventory.find(ID).orElseThrow().doubtful()).isFalse();
    assertThat(singles()).isEqualTo(5);
  }

  @Test
  @DisplayName("growth that is only an old state coming back settles nothing")
  void noFalseGrowth() {
    read(8);
    remove(5);
    inventory.wrote(ID, false, new Change.AssignLost<>(ENI_0, 3));
    assertThat(inventory.accept(inventory.beginRead(), ID, one(8))).isFalse();
    assertThat(inventory.find(ID).orElseThrow().doubtful()).isTrue();
  }

  @Test
  @DisplayName("a known instance is gone when the cloud says so, or when two reads apart miss it")
  void absence() {
    read(3);
    assertThat(inventory.notFound(inventory.beginRead(), ID, false)).isFalse();
    assertThat(inventory.find(ID)).isPresent();
    assertThat(inventory.knownAbsent(ID)).isFalse();
    pass(Duration.ofSeconds(59));
    assertThat(inventory.notFound(inventory.beginRead(), ID, false)).isFalse();
    pass(Duration.ofSeconds(1));
    assertThat(inventory.notFound(inventory.beginRead(), ID, false)).isTrue();
    assertThat(inventory.find(ID)).isEmpty();
    assertThat(inventory.knownAbsent(ID)).isTrue();

    read(3);
    assertThat(inventory.knownAbsent(ID)).isFalse();
    assertThat(inventory.notFound(inventory.beginRead(), ID, true)).isTrue();
  }

  @Test
  @DisplayName("an absence seen by a read that began before an own write means nothing")
  void absenceBeforeWrite() {
    read(0);
    ReadMark before = inventory.beginRead();
    add(3);
    pass(Duration.ofMinutes(5));
    assertThat(inventory.notFound(before, ID, false)).isFalse();
    assertThat(inventory.find(ID)).isPresent();
    assertThat(inventory.notFound(before, ID, true)).as("the cloud is certain").isTrue();
    assertThat(inventory.find(ID)).isEmpty();
  }

  @Test
  @DisplayName("nor is such a read the second absence of an instance that was missed long before")
  void secondAbsenceBeforeWrite() {
    read(0);
    assertThat(inventory.notFound(inventory.beginRead(), ID, false)).isFalse();
    pass(Duration.ofMinutes(5));
    ReadMark before = inventory.beginRead();
    add(3);
    assertThat(inventory.notFound(before, ID, false)).isFalse();
    assertThat(singles()).isEqualTo(3);
  }

  @Test
  @DisplayName("nor does an absence count that is seen by a read begun before one which found it")
  void absenceBeforeRead() {
    read(3);
    ReadMark before = inventory.beginRead();
    pass(Duration.ofSeconds(30));
    read(3);
    assertThat(inventory.notFound(before, ID, false)).isFalse();
    pass(Duration.ofSeconds(31));
    assertThat(inventory.notFound(inventory.beginRead(), ID, false)).as("the first one").isFalse();
    assertThat(singles()).isEqualTo(3);
  }

  @Test
  @DisplayName("an instance that was never seen is absent at once, and any where reads do not lag")
  void absentAtOnce() {
    assertThat(inventory.notFound(inventory.beginRead(), ID, false)).isTrue();
    InstanceInventory<Card> consistent =
        new InstanceInventory<>(time, Duration.ofMinutes(2), Duration.ZERO);
    consistent.accept(consistent.beginRead(), ID, one(1));
    assertThat(consistent.notFound(consistent.beginRead(), ID, false)).isTrue();
  }

  @Test
  @DisplayName("confirmed writes are forgotten after expiry and horizon, when another one comes")
  void boundedMemory() {
    pass(Duration.ofHours(1));
    read(0);
    ReadMark old = inventory.beginRead();
    add(8);
    pass(EXPIRY.plusMinutes(1));
    inventory.wrote(ID, true, new Change.Unclear<>());
    inventory.accept(old, ID, one(0));
    assertThat(singles()).as("at the bound the write still wins").isEqualTo(8);

    pass(Duration.ofNanos(1));
    inventory.wrote(ID, true, new Change.Unclear<>());
    inventory.accept(old, ID, one(0));
    assertThat(singles()).as("beyond the bound it is forgotten").isZero();
  }

  @Test
  @DisplayName("a write whose answer was lost is remembered until a read settles it")
  void lostIsNotForgotten() {
    read(3);
    ReadMark old = inventory.beginRead();
    inventory.wrote(ID, false, new Change.AssignLost<>(ENI_0, 3));
    pass(Duration.ofHours(1));
    inventory.wrote(ID, true, new Change.Unclear<>());
    assertThat(inventory.accept(old, ID, one(3))).as("settled by an old read").isFalse();
    assertThat(inventory.accept(inventory.beginRead(), ID, one(3))).as("by a new one").isTrue();
  }

  @Test
  @DisplayName("two absences are a horizon apart by the time of their reads, at any hour")
  void absenceLater() {
    pass(Duration.ofHours(1));
    read(3);
    assertThat(inventory.notFound(inventory.beginRead(), ID, false)).as("first").isFalse();
    pass(Duration.ofSeconds(59));
    assertThat(inventory.notFound(inventory.beginRead(), ID, false)).as("too soon").isFalse();
    pass(Duration.ofSeconds(1));
    assertThat(inventory.notFound(inventory.beginRead(), ID, false)).as("a horizon on").isTrue();
  }

  @Test
  @DisplayName("a listing may say twice of an instance what it read")
  void sameRead() {
    ReadMark mark = inventory.beginRead();
    inventory.accept(mark, ID, one(2));
    inventory.accept(mark, ID, one(5));
    assertThat(singles()).isEqualTo(5);
  }

  @Test
  @DisplayName("instances are known by id, in order, until they are forgotten")
  void ids() {
    InstanceId other = new InstanceId("i-0");
    read(1);
    inventory.accept(inventory.beginRead(), other, one(1));
    assertThat(inventory.ids()).containsExactly(other, ID);
    assertThat(inventory.overlayExpiry()).isEqualTo(EXPIRY);
    inventory.forget(ID);
    assertThat(inventory.ids()).containsExactly(other);
    assertThat(inventory.notFound(inventory.beginRead(), ID, true)).isTrue();
    assertThat(inventory.knownAbsent(ID)).isTrue();
    inventory.forget(ID);
    assertThat(inventory.knownAbsent(ID)).as("of a node that is new").isFalse();
  }
}
