package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("D-2 D-4 the inventory")
class InstanceInventoryTest {
  private static final InstanceId ID = new InstanceId("i-1");
  private static final InterfaceId ENI_0 = new InterfaceId("eni-0");
  private static final Duration EXPIRY = Duration.ofMinutes(2);
  private static final AddressSet EIGHT = Held.holding(ENI_0, 8).singles();

  private final VirtualTime time = new VirtualTime(0);
  private final InstanceInventory<Held> inventory =
      new InstanceInventory<>(time, EXPIRY, Duration.ofMinutes(1));

  /** Reads that have begun, by letter. */
  private final Map<String, ReadMark> marks = new HashMap<>();

  private long written;
  private boolean settled;

  private static List<Held> one(int singles) {
    return List.of(Held.holding(ENI_0, singles));
  }

  private void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  private InstanceView<Held> view() {
    return inventory.find(ID).orElseThrow();
  }

  private int singles() {
    return view().interfaces().get(0).singles().size();
  }

  private void read(int singles) {
    inventory.accept(inventory.beginRead(), ID, one(singles));
  }

  private long add(int singles) {
    return inventory.wrote(ID, true, new Change.Added<>(ENI_0, EIGHT.first(singles), List.of()));
  }

  private Change<Held> removal(String singles) {
    return new Change.Removed<>(ENI_0, EIGHT.first(Integer.parseInt(singles)), List.of());
  }

  /** The read of that letter, or one that begins and ends now. */
  private ReadMark mark(String... words) {
    return words.length > 2 ? begun(words[2]) : inventory.beginRead();
  }

  private ReadMark begun(String letter) {
    return Objects.requireNonNull(marks.get(letter));
  }

  /**
   * A step such as "read 5 A": read A, or one of now, ends with five addresses; "missed once": one
   * does not show the instance, which stays known; "missed gone": and it is gone; "denied": the
   * cloud is certain.
   */
  private void tell(String... words) {
    switch (words[0]) {
      case "begin" -> marks.put(words[1], inventory.beginRead());
      case "read" -> settled = inventory.accept(mark(words), ID, one(Integer.parseInt(words[1])));
      case "adds" -> {
        written = add(Integer.parseInt(words[1]));
        assertThat(marks.values()).allMatch(each -> each.generation() < written);
      }
      case "removes" -> written = inventory.wrote(ID, true, removal(words[1]));
      case "maybeRemoves" -> written = inventory.wrote(ID, false, removal(words[1]));
      case "maybeAdds" -> inventory.wrote(ID, false, new Change.AssignLost<>(ENI_0, 3));
      case "changes" -> inventory.wrote(ID, true, new Change.Unclear<>());
      case "missed" ->
          assertThat(inventory.notFound(mark(words), ID, false)).isEqualTo(words[1].equals("gone"));
      case "denied" -> assertThat(inventory.notFound(mark(words), ID, true)).isTrue();
      case "is" -> assertThat(singles()).isEqualTo(Integer.parseInt(words[1]));
      case "settled" -> assertThat(settled).hasToString(words[1]);
      case "newest" -> assertThat(view().generation()).isEqualTo(written);
      case "certain" -> assertThat(view().doubtful()).isFalse();
      case "known", "unknown" -> {
        boolean known = words[0].equals("known");
        assertThat(inventory.find(ID).isPresent()).isEqualTo(known);
        assertThat(inventory.knownAbsent(ID)).isNotEqualTo(known);
      }
      case "covers" -> {
        long read = begun(words[1]).generation();
        assertThat(inventory.covered(read)).isEqualTo(read);
      }
      case "leavesOpen" -> {
        long read = begun(words[1]).generation();
        assertThat(inventory.covered(read)).isLessThan(written);
        assertThat(inventory.covered(written - 2)).isEqualTo(written - 2);
      }
      default -> pass(Duration.parse("PT" + words[0]));
    }
  }

  @DisplayName("what reads show and own requests change, whatever comes first")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a read that began before an own write never undoes it, however late it ends \
            | read 0; begin A; adds 8; read 0 A; is 8; 1h; read 0 A; is 8
          writes are replayed in their order: what was given back and taken again is there \
            | read 8; removes 3; adds 2; read 8; is 7; removes 8; read 8; is 0
          of two reads the one that began later wins, in whatever order they end \
            | begin A; begin B; read 5 B; read 2 A; is 5
          also of an instance that was known before \
            | read 1; begin A; begin B; read 5 B; read 2 A; is 5
          what an old read adds to an own write does not let the generation fall \
            | read 2; begin A; adds 4; read 6 A; is 6; newest
          reads cover a request with a lost response once they tell what became of it \
            | read 8; maybeRemoves 3; begin A; read 8 A; leavesOpen A; 1m; begin B; read 8 B; covers B
          reads cover a confirmed request, also while it takes precedence over them \
            | read 8; removes 3; begin A; read 8 A; covers A
          a doubt is over when the horizon is, though nothing else has changed \
            | read 3; maybeAdds; 1m; read 3; certain
          a known instance is gone when the cloud says so, or when two reads apart miss it \
            | 1h; read 3; missed once; known; 59s; missed twice; 1s; missed gone; unknown; read 3; \
              known; denied gone
          an absence seen by a read that began before an own write means nothing, if not certain \
            | read 0; begin A; adds 3; 5m; missed once A; known; denied gone A; unknown
          nor is such a read the second absence of an instance that was missed long before \
            | read 0; missed once; 5m; begin A; adds 3; missed twice A; is 3
          nor does an absence count that is seen by a read begun before one which found it \
            | read 3; begin A; 30s; read 3; missed once A; 31s; missed once; is 3
          confirmed writes are forgotten after expiry and horizon, when another one comes \
            | 1h; read 0; begin A; adds 8; 3m; changes; read 0 A; is 8; 0.000000001s; changes; \
              read 0 A; is 0
          a write whose answer was lost is remembered until a new read settles it \
            | read 3; begin A; maybeAdds; 1h; changes; read 3 A; settled false; read 3; settled true
          a listing may say twice of an instance what it read \
            | begin A; read 2 A; read 5 A; is 5
          """)
  void story(String what, String story) {
    for (String step : story.split("; +", -1)) {
      tell(step.split(" ", -1));
    }
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
  @DisplayName("an instance that was never seen is absent at once, and any where reads do not lag")
  void absentAtOnce() {
    assertThat(inventory.notFound(inventory.beginRead(), ID, false)).isTrue();
    InstanceInventory<Held> consistent =
        new InstanceInventory<>(time, Duration.ofMinutes(2), Duration.ZERO);
    consistent.accept(consistent.beginRead(), ID, one(1));
    assertThat(consistent.notFound(consistent.beginRead(), ID, false)).isTrue();
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
