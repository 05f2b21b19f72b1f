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
  private static final AddressSet EIGHT = Held.holding(ENI_0, 8).singles();

  private final VirtualTime time = new VirtualTime(0);
  private final InstanceInventory<Held> inventory =
      new InstanceInventory<>(time, EXPIRY, Duration.ofMinutes(1));

  private static List<Held> one(int singles) {
    return List.of(Held.holding(ENI_0, singles));
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

  @ParameterizedTest(name = "known before: {0}")
  @DisplayName("of two reads the one that began later wins, in whatever order they end")
  @ValueSource(booleans = {false, true})
  void readsOvertake(boolean known) {
    if (known) {
      read(1);
    }
    ReadMark first = inventory.beginRead();
    ReadMark second = inventory.beginRead();
    inventory.accept(second, ID, one(5));
    inventory.accept(first, ID, one(2));
    assertThat(singles()).isEqualTo(5);
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
    InstanceView<Held> view = inventory.find(ID).orElseThrow();
    read(5);
    assertThat(inventory.find(ID)).containsSame(view);
    long written = add(8);
    InstanceView<Held> changed = inventory.find(ID).orElseThrow();
    assertThat(changed.generation()).isEqualTo(written).isGreaterThan(view.generation());
    ReadMark covering = inventory.beginRead();
    assertThat(covering.generation()).isGreaterThanOrEqualTo(changed.generation());
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
  @DisplayName("a known instance is gone when the cloud says so, or when two reads apart miss it")
  void absence() {
    pass(Duration.ofHours(1));
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
    InstanceInventory<Held> consistent =
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
