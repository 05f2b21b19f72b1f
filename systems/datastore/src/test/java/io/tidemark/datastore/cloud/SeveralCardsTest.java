package io.tidemark.datastore.cloud;

import static io.tidemark.datastore.cloud.TestLoop.MINUTE;
import static io.tidemark.datastore.cloud.TestLoop.SECOND;
import static io.tidemark.datastore.cloud.TestLoop.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.AssignOutcome;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.MultiCardStore;
import io.tidemark.datastore.RecoveryOutcome;
import io.tidemark.datastore.RecoveryRules;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.datastore.cloud.CloudEni.CloudCidr;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.Profile;
import io.tidemark.datastore.plan.WarmTargets;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An address that moves to an interface of another network card")
class SeveralCardsTest {
  private static final Duration COOLDOWN = SECOND.multipliedBy(131);

  private final TestLoop node = TestLoop.addresses(0, 1);
  private final CheckpointFile file = new CheckpointFile(Path.of("/run/ipam-1.json"), node.files);
  private DataStore second = newSecond();
  private MultiCardStore cards = new MultiCardStore(Map.of(0, node.store, 1, second));
  private final Cidr moves = Cidr.parse("10.0.0.4/32");

  /** On which card it is. */
  private int on;

  @BeforeEach
  void twoCards() {
    node.cloud.subnetRoom = 0;
    node.shown = enis -> List.of(with(enis.get(0), 0), with(secondEni(), 1));
  }

  private DataStore newSecond() {
    return DataStore.durable(
        node.process.time(),
        node.mode,
        node.cooldown,
        node.process.effects(node.network),
        file,
        "boot-1");
  }

  private static CloudEni secondEni() {
    StoreEniSpec spec = new StoreEniSpec("eni-9", 0, false, false, false, 10_100, "");
    return new CloudEni(spec, 1, "02:00:00:00:00:99", true, List.of());
  }

  private CloudEni with(CloudEni eni, int card) {
    List<CloudCidr> cidrs = new ArrayList<>(eni.cidrs());
    if (card == on) {
      cidrs.add(new CloudCidr(moves, CidrKind.SECONDARY));
    }
    return new CloudEni(eni.spec(), card, eni.mac(), true, cidrs);
  }

  private void started(WarmTargets warm) {
    PoolTargets targets =
        new PoolTargets(
            IpFamily.IPV4, warm, () -> Optional.of(PoolLimits.of(10, 4)), Profile.TIDEMARK);
    node.loop = new PoolReconciler(cards, node.client, targets, node.process, new Random(1));
    assertThat(node.ended(node.loop.fill())).isTrue();
    node.recover();
    assertThat(node.ended(second.recover(inFile(), RecoveryRules.of(IpFamily.IPV4))))
        .isInstanceOf(RecoveryOutcome.Recovered.class);
    node.loop.start();
  }

  private CheckpointData inFile() {
    try {
      return file.read(CheckpointFile.DataLoss.REFUSED) instanceof Read.Current current
          ? current.data()
          : CheckpointData.EMPTY;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Another program begins. */
  private void restarted() {
    node.restarted();
    second = newSecond();
    cards = new MultiCardStore(Map.of(0, node.store, 1, second));
    started(node.warm);
  }

  private Optional<String> add(String pod) {
    AssignOutcome outcome =
        node.ended(cards.assign(key(pod), new IpamMetadata("default", pod, 1), IpFamily.IPV4));
    return outcome instanceof AssignOutcome.Granted granted
        ? Optional.of(granted.assignment().eniId())
        : Optional.empty();
  }

  private void movesTo(int card, String from, String to) {
    movesTo(card, from, to, () -> {});
  }

  /**
   * An address moves while a pod has it.
   *
   * @param then what happens next
   */
  private void movesTo(int card, String from, String to, Runnable then) {
    on = 1 - card;
    started(node.warm);
    assertThat(add("a")).contains(from);
    node.pass(MINUTE);
    on = card;
    then.run();
    for (int i = 0; i < 300; i++) {
      node.pass(SECOND);
      assertThat(add("b")).as("%s s after the move, while the first pod has it", i).isEmpty();
    }
    assertThat(node.ended(cards.release(key("a")))).isNotNull();
    node.pass(COOLDOWN.minus(SECOND.multipliedBy(3)));
    assertThat(add("b")).as("while it cools").isEmpty();
    node.pass(MINUTE.multipliedBy(2));
    assertThat(add("b")).as("in the end").contains(to);
  }

  @Test
  @DisplayName("DI1 DI7 is given to no other pod before the first one has ended and it has cooled")
  void used() {
    movesTo(1, FakeCloud.PRIMARY, "eni-9");
  }

  @Test
  @DisplayName("DI1 DI7 nor is it when the card that it moves to is looked at first")
  void usedOfLaterCard() {
    movesTo(0, "eni-9", FakeCloud.PRIMARY);
  }

  @Test
  @DisplayName("DI1 DI5 DI7 nor is it when ipamd begins anew after the move")
  void usedOverRestart() {
    movesTo(1, FakeCloud.PRIMARY, "eni-9", this::restarted);
  }

  @Test
  @DisplayName("DI1 DI5 DI7 nor is it when it has moved to the card that is looked at first")
  void usedOverRestartOfLaterCard() {
    movesTo(0, "eni-9", FakeCloud.PRIMARY, this::restarted);
  }

  @Test
  @DisplayName("DI5 DI7 cools there, too, when ipamd begins anew after its pod has ended")
  void coolsOverRestart() {
    on = 1;
    started(node.warm);
    assertThat(add("a")).contains("eni-9");
    assertThat(node.ended(cards.release(key("a")))).isNotNull();
    on = 0;
    restarted();
    assertThat(add("b")).isEmpty();
    node.pass(MINUTE.multipliedBy(5));
    assertThat(add("b")).contains(FakeCloud.PRIMARY);
  }

  @Test
  @DisplayName("is free there once its old card does not have it any more")
  void free() {
    started(node.warm);
    node.pass(MINUTE);
    on = 1;
    node.pass(MINUTE.multipliedBy(3));
    assertThat(node.inStore()).isEmpty();
    assertThat(add("a")).contains("eni-9");
  }

  @Test
  @DisplayName("DI9 keeps its new interface from being given back while a pod has it")
  void interfaceStays() {
    String other = node.cloud.attachByOthers(true);
    node.shown = enis -> List.of(enis.get(0), with(enis.get(1), 0), with(secondEni(), 1));
    on = 1;
    started(TestLoop.targets(0, 0));
    assertThat(add("a")).contains("eni-9");
    on = 0;
    node.nextRead();
    node.pass(MINUTE);
    assertThat(node.view().enis()).extracting(eni -> eni.spec().id()).contains(other);
    assertThat(node.calls("remove")).isEmpty();
  }
}
