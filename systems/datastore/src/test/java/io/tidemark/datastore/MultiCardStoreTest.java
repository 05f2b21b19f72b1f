package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.file.CrashingFiles;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.VirtualTime;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The stores of several network cards")
class MultiCardStoreTest {
  private final VirtualTime time = new VirtualTime(0);
  private final TestStore first = card("10.0.0.1");

  /** Card 1 is left out. */
  private final TestStore third = card("10.2.0.1", "10.2.0.2");

  private final MultiCardStore node = new MultiCardStore(Map.of(0, first.store, 2, third.store));

  private TestStore card(String... addresses) {
    TestStore made =
        new TestStore(CidrKind.SECONDARY, CooldownRule.DEFAULT, time, new CrashingFiles());
    made.with("eni-1", 1, addresses);
    made.recover(CheckpointData.EMPTY);
    return made;
  }

  private String one(String pod) {
    return TestStore.granted(
            first.ended(node.assign(TestStore.key(pod), TestStore.POD, IpFamily.IPV4)))
        .assignment()
        .address()
        .toString();
  }

  private SortedMap<Integer, AssignOutcome> each(String pod) {
    return first.ended(node.assignEach(TestStore.key(pod), TestStore.POD, IpFamily.IPV4));
  }

  private StoreReleaseOutcome release(String pod) {
    return first.ended(node.release(TestStore.key(pod)));
  }

  @Test
  @DisplayName("D67 Cards are found by their numbers, of which some are missing")
  void numbers() {
    assertThat(node.numbers()).containsExactly(0, 2);
    assertThat(node.card(0)).contains(first.store);
    assertThat(node.card(1)).isEmpty();
    assertThat(node.card(2)).contains(third.store);
  }

  @Test
  @DisplayName("D69 When a card has no address the next one is asked, past one that is left out")
  void next() {
    assertThat(one("a")).isEqualTo("10.0.0.1");
    assertThat(one("b")).isEqualTo("10.2.0.1");
    assertThat(release("a")).isInstanceOf(StoreReleaseOutcome.Released.class);
    first.passCooldown();
    assertThat(one("b")).as("what it has").isEqualTo("10.2.0.1");
    assertThat(one("c")).isEqualTo("10.0.0.1");
    assertThat(one("d")).isEqualTo("10.2.0.2");
    assertThat(first.ended(node.assign(TestStore.key("e"), TestStore.POD, IpFamily.IPV4)))
        .isEqualTo(new AssignOutcome.NoAddress(AssignOutcome.Reason.ALL_ASSIGNED));
  }

  @Test
  @DisplayName("D69 A card whose file cannot be written is no reason to ask the next one")
  void failed() {
    first.files.fault(first.files.changes().size(), Fault.FAILS, 0);
    assertThat(first.ended(node.assign(TestStore.key("a"), TestStore.POD, IpFamily.IPV4)))
        .isInstanceOf(AssignOutcome.Refused.class);
    assertThat(third.assigned()).isZero();
  }

  @Test
  @DisplayName("D68 A pod gets an address of each card, and loses all of them")
  void all() {
    SortedMap<Integer, AssignOutcome> outcome = each("a");
    assertThat(outcome).containsOnlyKeys(0, 2);
    assertThat(outcome.values()).allMatch(AssignOutcome.Granted.class::isInstance);
    assertThat(each("a")).isEqualTo(outcome);
    assertThat(release("a"))
        .isInstanceOfSatisfying(
            StoreReleaseOutcome.Released.class, it -> assertThat(it.assignments()).hasSize(2));
    assertThat(release("a")).isEqualTo(new StoreReleaseOutcome.Unknown(Optional.empty()));
  }

  @Test
  @DisplayName("D68 DI4 When a card has none, or cannot be written, the others take back theirs")
  void rolledBack() {
    third.assign("x");
    third.assign("y");
    assertThat(each("a"))
        .isEqualTo(Map.of(2, new AssignOutcome.NoAddress(AssignOutcome.Reason.ALL_ASSIGNED)));
    assertThat(first.assigned()).isZero();
    assertThat(first.addressesInFile()).isEmpty();
    third.release("x");
    first.passCooldown();
    third.files.fault(third.files.changes().size(), Fault.FAILS, 0);
    assertThat(each("a")).containsOnlyKeys(2);
    assertThat(first.assigned()).isZero();
    first.passCooldown();
    assertThat(each("a")).containsOnlyKeys(0, 2);
  }

  @Test
  @DisplayName("D68 A release that one card cannot write is refused, and succeeds when repeated")
  void halfReleased() {
    assertThat(each("a")).containsOnlyKeys(0, 2);
    third.files.fault(third.files.changes().size(), Fault.FAILS, 0);
    assertThat(release("a")).isInstanceOf(StoreReleaseOutcome.Refused.class);
    assertThat(release("a"))
        .isInstanceOfSatisfying(
            StoreReleaseOutcome.Released.class, it -> assertThat(it.assignments()).hasSize(1));
  }
}
