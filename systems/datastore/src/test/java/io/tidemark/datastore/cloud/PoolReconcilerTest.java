package io.tidemark.datastore.cloud;

import static io.tidemark.datastore.cloud.TestLoop.MINUTE;
import static io.tidemark.datastore.cloud.TestLoop.SECOND;
import static io.tidemark.datastore.cloud.TestLoop.key;
import static io.tidemark.datastore.cloud.TestLoop.targets;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.MultiCardStore;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.StoreReleaseOutcome;
import io.tidemark.datastore.cloud.CloudEni.CloudCidr;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.Profile;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A store that is compared with the cloud")
class PoolReconcilerTest {
  /** A node with two addresses that pods have, and one that is free, at rest. */
  private static TestLoop withPods() {
    TestLoop node = TestLoop.addresses(1, 0).started();
    node.pass(SECOND);
    node.add("a");
    node.pass(SECOND);
    node.add("b");
    node.pass(MINUTE.multipliedBy(2));
    assertThat(node.inStore()).hasSize(3);
    return node;
  }

  private static Cidr of(TestLoop node, String pod) {
    return node.store.assigned().stream()
        .filter(each -> each.entry().key().equals(key(pod)))
        .findFirst()
        .orElseThrow()
        .assignment()
        .cidr();
  }

  private static UnaryOperator<List<CloudEni>> without(Cidr cidr) {
    return enis ->
        enis.stream()
            .map(
                eni ->
                    new CloudEni(
                        eni.spec(),
                        eni.card(),
                        eni.mac(),
                        eni.managed(),
                        eni.cidrs().stream().filter(each -> !each.cidr().equals(cidr)).toList()))
            .toList();
  }

  @Test
  @DisplayName(
      "D99 D124 A store that is as the cloud says stays as it is, and is read every minute")
  void equal() {
    TestLoop node = withPods();
    List<String> before = List.copyOf(node.cloud.changes);
    int reads = node.calls("read").size();
    node.pass(MINUTE.multipliedBy(10));
    assertThat(node.cloud.changes).isEqualTo(before);
    assertThat(node.calls("read").size() - reads).isBetween(8, 10);
  }

  @Test
  @DisplayName("D99 A free address that the cloud does not show goes; pods get no address of it")
  void freeAddressGone() {
    TestLoop node = withPods();
    Set<Cidr> free = node.inStore();
    free.remove(of(node, "a"));
    free.remove(of(node, "b"));
    Cidr gone = free.iterator().next();
    node.cloud.removeByOthers(FakeCloud.PRIMARY, gone);
    node.cloud.subnetRoom = 0;
    node.nextRead();
    assertThat(node.inStore()).doesNotContain(gone).hasSize(2);
    assertThat(node.store.counters().forceRemovedAddresses()).isZero();
  }

  @Test
  @DisplayName("D99 A read that fails, and an answer without the primary interface, change nothing")
  void unreadable() {
    TestLoop node = withPods();
    node.readsFail = true;
    node.pass(MINUTE.multipliedBy(10));
    assertThat(node.inStore()).hasSize(3);
    node.readsFail = false;
    node.shown = enis -> List.of();
    node.pass(MINUTE.multipliedBy(10));
    assertThat(node.inStore()).hasSize(3);
    assertThat(node.store.orphans()).isEmpty();
    assertThat(node.loop.hasReadCloud()).isTrue();
  }

  @Test
  @DisplayName("D128 While the limits of the instance are unknown the pool stays as it is")
  void unknownLimits() {
    TestLoop node = TestLoop.addresses(2, 4);
    node.limitsKnown = false;
    node.started();
    node.pass(MINUTE.multipliedBy(5));
    assertThat(node.cloud.changes).isEmpty();
    assertThat(node.loop.status()).isEmpty();
    node.limitsKnown = true;
    node.pass(MINUTE);
    assertThat(node.inStore()).hasSize(4);
    node.limitsKnown = false;
    node.cloud.addByOthers(FakeCloud.PRIMARY, CidrKind.SECONDARY, 5);
    node.pass(MINUTE.multipliedBy(10));
    assertThat(node.inStore()).as("nothing is given back").hasSize(9);
  }

  @Test
  @DisplayName("D99 A cloud that cannot be read is asked less and less often, up to a minute")
  void readsBackOff() {
    TestLoop node = withPods();
    node.readsFail = true;
    int reads = node.calls("read").size();
    node.pass(Duration.ofHours(1));
    assertThat(node.calls("read").size() - reads).isBetween(60, 130);
  }

  @Test
  @DisplayName("D100 What was freed is not taken up again within a minute, and later it is")
  void freed() {
    TestLoop node = TestLoop.addresses(2, 0);
    node.cloud.addByOthers(FakeCloud.PRIMARY, CidrKind.SECONDARY, 10);
    node.started().pass(SECOND);
    assertThat(node.inStore()).hasSize(3);
    node.cloud.addByOthers(FakeCloud.PRIMARY, CidrKind.SECONDARY, 7);
    node.fate("assign", EffectFate.answerLost(Duration.ZERO));
    node.pass(Duration.ofSeconds(10));
    for (int i = 0; i < 3; i++) {
      node.add("pod-" + i);
    }
    node.pass(Duration.ofSeconds(40));
    assertThat(node.calls("read")).hasSizeGreaterThan(1);
    assertThat(node.inStore()).hasSize(3);
    node.pass(MINUTE.multipliedBy(2));
    assertThat(node.inStore()).isEqualTo(node.cloud.cidrs());
  }

  @Test
  @DisplayName("D101 What a pod uses is lost only when it is still missing after 30 s")
  void lost() {
    TestLoop node = withPods();
    Cidr used = of(node, "a");
    node.shown = without(used);
    node.nextRead();
    assertThat(node.inStore()).contains(used);
    node.shown = enis -> enis;
    node.pass(MINUTE.multipliedBy(3));
    node.cloud.removeByOthers(FakeCloud.PRIMARY, used);
    node.nextRead();
    assertThat(node.inStore()).contains(used);
    for (int i = 0; i < 2; i++) {
      node.pass(SECOND.multipliedBy(12));
      readsAgain(node);
      assertThat(node.inStore()).contains(used);
    }
    node.pass(SECOND.multipliedBy(4));
    readsAgain(node);
    assertThat(node.inStore()).doesNotContain(used);
    assertThat(node.store.orphans())
        .extracting(orphan -> orphan.entry().key())
        .containsExactly(key("a"));
    StoreReleaseOutcome del = node.ended(node.store.release(key("a")));
    assertThat(del).isInstanceOf(StoreReleaseOutcome.Unknown.class);
    assertThat(((StoreReleaseOutcome.Unknown) del).lost().orElseThrow().cidr()).isEqualTo(used);
  }

  @Test
  @DisplayName(
      "D101 An interface with pods is kept when it is missing once, and lost when it is twice")
  void lostEni() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, targets(0, 4), 2, 3).started();
    node.pass(SECOND.multipliedBy(10));
    for (int i = 0; i < 4; i++) {
      node.add("pod-" + i);
    }
    node.pass(MINUTE.multipliedBy(3));
    String second = node.view().enis().get(1).spec().id();
    node.shown = enis -> enis.stream().filter(eni -> !eni.spec().id().equals(second)).toList();
    node.nextRead();
    assertThat(node.view().enis()).hasSize(2);
    node.shown = enis -> enis;
    node.pass(MINUTE.multipliedBy(2));
    assertThat(node.store.orphans()).isEmpty();
    node.cloud.detachByOthers(second);
    node.cloud.subnetRoom = 0;
    node.pass(MINUTE.multipliedBy(2));
    assertThat(node.store.orphans()).hasSize(2);
    assertThat(node.view().enis()).extracting(eni -> eni.spec().id()).doesNotContain(second);
  }

  @Test
  @DisplayName(
      "D101 What no pod uses of an interface with pods stays, too, when it is missing once")
  void freeOfMissingEni() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, targets(0, 4), 2, 3).started();
    node.pass(SECOND.multipliedBy(10));
    for (int i = 0; i < 3; i++) {
      node.add("pod-" + i);
    }
    node.pass(MINUTE.multipliedBy(3));
    assertThat(node.view().enis()).extracting(eni -> eni.inUse()).containsExactly(2, 1);
    Set<Cidr> all = node.inStore();
    node.shown = enis -> enis.subList(0, 1);
    node.nextRead();
    assertThat(node.inStore()).isEqualTo(all);
  }

  @Test
  @DisplayName("D101 When a lost address comes back its pod has it again, and else it is forgotten")
  void lostAndFound() {
    TestLoop node = withPods();
    Cidr used = of(node, "a");
    UnaryOperator<List<CloudEni>> missing = without(used);
    node.shown = missing;
    node.pass(MINUTE.multipliedBy(2));
    assertThat(node.store.orphans()).hasSize(1);
    node.shown = enis -> enis;
    node.pass(MINUTE.multipliedBy(3));
    assertThat(node.store.orphans()).isEmpty();
    assertThat(of(node, "a")).isEqualTo(used);
    node.cloud.removeByOthers(FakeCloud.PRIMARY, used);
    node.pass(MINUTE.multipliedBy(3));
    assertThat(node.store.orphans()).hasSize(1);
    node.pass(MINUTE.multipliedBy(6));
    assertThat(node.store.orphans()).isEmpty();
    assertThat(node.inFile().allocations()).hasSize(1);
  }

  @Test
  @DisplayName("D101 A pod keeps an address that is on another interface now")
  void moved() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, targets(0, 3), 3, 3).started();
    node.pass(SECOND);
    String pod = node.add("a");
    node.pass(MINUTE.multipliedBy(2));
    Cidr used = of(node, "a");
    String second = node.cloud.attachByOthers(true);
    node.cloud.removeByOthers(FakeCloud.PRIMARY, used);
    assertThat(node.cloud.addByOthers(second, CidrKind.SECONDARY, 1)).containsExactly(used);
    node.nextRead();
    assertThat(node.add("a")).isEqualTo(pod);
    assertThat(node.store.assigned().get(0).assignment().eniId()).isEqualTo(second);
    assertThat(node.store.orphans()).isEmpty();
  }

  @Test
  @DisplayName("D101 A pod keeps an address that moves when its interface is detached")
  void movedFromGone() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, targets(0, 4), 2, 4).started();
    node.pass(SECOND.multipliedBy(10));
    String gone = node.view().enis().get(1).spec().id();
    Cidr used = null;
    for (int i = 0; i < 4; i++) {
      String pod = "pod-" + i;
      node.add(pod);
      used = of(node, pod);
    }
    node.pass(MINUTE.multipliedBy(2));
    node.cloud.detachByOthers(gone);
    String other = node.cloud.attachByOthers(true);
    assertThat(node.cloud.addByOthers(other, CidrKind.SECONDARY, 2)).contains(used);
    node.nextRead();
    assertThat(node.store.assigned())
        .extracting(each -> each.assignment().eniId())
        .containsOnly(FakeCloud.PRIMARY, other)
        .hasSize(4);
    assertThat(node.store.orphans()).isEmpty();
  }

  @Test
  @DisplayName("D101 A pod keeps an address that the cloud gives anew, on another interface")
  void givenElsewhere() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, targets(0, 3), 3, 3).started();
    node.pass(SECOND);
    for (int i = 0; i < 3; i++) {
      node.add("pod-" + i);
    }
    Cidr used = of(node, "pod-0");
    node.cloud.removeByOthers(FakeCloud.PRIMARY, used);
    node.add("pod-3");
    node.pass(SECOND);
    assertThat(node.calls("create")).hasSize(1);
    assertThat(of(node, "pod-0")).isEqualTo(used);
    assertThat(node.view().enis().get(1).inUse()).isEqualTo(1);
    assertThat(node.add("pod-0")).isEqualTo(used.first().toString());
    assertThat(node.store.orphans()).isEmpty();
    node.pass(MINUTE.multipliedBy(5));
    assertThat(node.inStore()).isEqualTo(node.cloud.cidrs());
  }

  @Test
  @DisplayName("D101 A single address gives way to a prefix that contains it")
  void givenAsPrefix() {
    TestLoop node = new TestLoop(CidrKind.PREFIX, targets(1, 0), 1, 3);
    Cidr single = Cidr.parse("10.1.0.3/32");
    node.shown = with(FakeCloud.PRIMARY, single);
    assertThat(node.ended(node.loop.fill())).isTrue();
    node.shown = enis -> enis;
    node.recover();
    node.loop.start();
    node.pass(SECOND);
    assertThat(node.inStore()).isEqualTo(node.cloud.cidrs()).doesNotContain(single).hasSize(1);
  }

  private static UnaryOperator<List<CloudEni>> with(String eniId, Cidr cidr) {
    return enis ->
        enis.stream()
            .map(
                eni -> {
                  List<CloudCidr> more = new ArrayList<>(eni.cidrs());
                  if (eni.spec().id().equals(eniId)) {
                    more.add(new CloudCidr(cidr, CidrKind.SECONDARY));
                  }
                  return new CloudEni(eni.spec(), eni.card(), eni.mac(), eni.managed(), more);
                })
            .toList();
  }

  @Test
  @DisplayName("D123 An answer that lags behind neither removes what is new nor adds what is gone")
  void stale() {
    TestLoop node = withPods();
    List<CloudEni> before = node.cloud.now();
    node.shown = enis -> before;
    node.add("c");
    node.pass(SECOND);
    Cidr fresh = node.inStore().stream().filter(it -> !shows(before, it)).findFirst().orElseThrow();
    node.fate("unassign", EffectFate.answerLost(Duration.ZERO));
    node.pass(MINUTE.plus(SECOND.multipliedBy(2)));
    node.shown = enis -> enis;
    node.pass(MINUTE.multipliedBy(3));
    assertThat(node.store.orphans()).isEmpty();
    assertThat(node.store.counters().forceRemovedAddresses()).isZero();
    assertThat(node.inStore()).contains(fresh).isEqualTo(node.cloud.cidrs());
  }

  private static void readsAgain(TestLoop node) {
    int reads = node.calls("read").size();
    node.loop.prepared();
    node.pass(SECOND);
    assertThat(node.calls("read")).hasSize(reads + 1);
  }

  @Test
  @DisplayName("D123 What nobody uses yet stays, too, when an answer that lags behind lacks it")
  void staleFree() {
    TestLoop node = TestLoop.addresses(3, 0);
    List<CloudEni> before = node.cloud.now();
    node.started().pass(SECOND);
    Set<Cidr> fresh = node.inStore();
    assertThat(fresh).hasSize(3);
    node.shown = enis -> before;
    readsAgain(node);
    assertThat(node.inStore()).isEqualTo(fresh);
  }

  @Test
  @DisplayName("D123 So does a new interface that nobody uses yet")
  void staleNewEni() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, targets(4, 0), 3, 3).started();
    node.pass(SECOND.multipliedBy(20));
    assertThat(node.view().enis()).hasSize(2);
    node.shown = enis -> enis.subList(0, 1);
    readsAgain(node);
    assertThat(node.view().enis()).hasSize(2);
  }

  @Test
  @DisplayName("D123 An answer that lags behind does not bring back an interface that was removed")
  void staleEni() {
    TestLoop node = TestLoop.twoEnis();
    List<CloudEni> before = node.cloud.now();
    node.started().pass(MINUTE.plusSeconds(5));
    assertThat(node.cloud.now()).hasSize(1);
    node.shown = enis -> before;
    readsAgain(node);
    assertThat(node.view().enis()).hasSize(1);
    for (String pod : List.of("a", "b", "c")) {
      node.add(pod);
      node.pass(SECOND);
    }
    assertThat(node.cloud.cidrs()).containsAll(node.inStore());
  }

  private static boolean shows(List<CloudEni> enis, Cidr cidr) {
    return enis.stream()
        .flatMap(eni -> eni.cidrs().stream())
        .map(CloudCidr::cidr)
        .anyMatch(cidr::equals);
  }

  @Test
  @DisplayName("D123 A read may show what the cloud gives before its answer comes")
  void answerAfterRead() {
    TestLoop node = TestLoop.addresses(1, 0);
    node.fate("assign", EffectFate.answered(Duration.ZERO, SECOND.multipliedBy(10)));
    node.started().pass(SECOND);
    readsAgain(node);
    String pod = node.add("a");
    node.pass(MINUTE);
    assertThat(node.add("a")).isEqualTo(pod);
    assertThat(node.store.counters().forceRemovedAddresses()).isZero();
  }

  @Test
  @DisplayName("D123 An answer to a read that began before a change does not undo the change")
  void overtaken() {
    TestLoop node = withPods();
    List<CloudEni> before = node.cloud.now();
    node.shown = enis -> before;
    Duration slow = Duration.ofSeconds(15);
    node.fate("read", EffectFate.answered(slow, Duration.ZERO));
    node.pass(MINUTE);
    node.add("c");
    node.pass(slow);
    node.shown = enis -> enis;
    assertThat(node.inStore()).hasSize(4).isEqualTo(node.cloud.cidrs());
  }

  @Test
  @DisplayName("A node that changes all the time is compared all the same, every five minutes")
  void busy() {
    TestLoop node = TestLoop.addresses(1, 0).started();
    node.cooldown.period();
    int reads = node.calls("read").size();
    for (int i = 0; i < 36; i++) {
      node.add("pod-" + i);
      node.pass(Duration.ofSeconds(20));
    }
    assertThat(node.calls("read").size() - reads).isBetween(2, 4);
  }

  @Test
  @DisplayName("A read at the start can be repeated, and shares one that is under way")
  void fillTwice() {
    TestLoop node = TestLoop.addresses(1, 0);
    node.fate("read", EffectFate.requestLost());
    var first = node.loop.fill();
    var second = node.loop.fill();
    assertThat(node.ended(first)).isFalse();
    assertThat(node.ended(second)).isFalse();
    assertThat(node.calls("read")).hasSize(1);
    assertThat(node.ended(node.loop.fill())).isTrue();
  }

  @Test
  @DisplayName("A closed loop does nothing more, and one that has not begun takes no request")
  void closed() {
    TestLoop node = TestLoop.addresses(1, 0);
    node.loop.request();
    node.pass(MINUTE);
    assertThat(node.client.calls).isEmpty();
    node.started().loop.close();
    node.loop.close();
    int calls = node.client.calls.size();
    node.loop.request();
    node.pass(MINUTE.multipliedBy(5));
    assertThat(node.client.calls).hasSize(calls);
    assertThat(node.time.pending()).isZero();
  }

  private static PoolReconciler loop(TestLoop node, Map<Integer, DataStore> stores) {
    PoolTargets targets =
        new PoolTargets(
            IpFamily.IPV4, node.warm, () -> Optional.of(PoolLimits.of(10, 4)), Profile.TIDEMARK);
    return new PoolReconciler(
        new MultiCardStore(stores), node.client, targets, node.process, new Random(1));
  }

  @Test
  @DisplayName("Other cards are compared with the cloud and neither grow nor shrink")
  void otherCards() {
    TestLoop node = TestLoop.addresses(1, 0);
    DataStore second = DataStore.inMemory(node.process.time(), node.mode, node.cooldown);
    PoolReconciler loop = loop(node, Map.of(0, node.store, 1, second));
    Cidr address = Cidr.parse("10.9.0.1/32");
    CloudEni other =
        new CloudEni(
            new StoreEniSpec("eni-9", 0, false, false, false, 10_100, ""),
            1,
            "02:00:00:00:00:99",
            true,
            List.of(new CloudCidr(address, CidrKind.SECONDARY)));
    node.shown =
        enis -> {
          List<CloudEni> all = new ArrayList<>(enis);
          all.add(other);
          return all;
        };
    assertThat(node.ended(loop.fill())).isTrue();
    loop.start();
    node.pass(MINUTE.multipliedBy(3));
    assertThat(second.view().enis()).extracting(eni -> eni.spec().id()).containsExactly("eni-9");
    assertThat(node.store.view().enis()).hasSize(1);
    assertThat(node.calls("unassign")).isEmpty();
    loop.close();
    assertThatThrownBy(() -> loop(node, Map.of(1, second))).hasMessage("no store of card 0");
  }

  @ParameterizedTest(name = "D124 {0}: with constant pods the loop comes to rest")
  @EnumSource(CidrKind.class)
  void rest(CidrKind mode) {
    for (int warm = 0; warm <= 3; warm++) {
      for (int min = 0; min <= 3; min++) {
        TestLoop node = new TestLoop(mode, targets(warm, min), 3, 3).started();
        for (int pod = 0; pod < 5; pod++) {
          node.add("pod-" + pod);
          node.pass(SECOND);
          node.add("pod-" + pod);
          node.pass(SECOND);
        }
        node.del("pod-0");
        node.pass(MINUTE.multipliedBy(5));
        List<String> before = List.copyOf(node.cloud.changes);
        node.pass(MINUTE.multipliedBy(10));
        assertThat(node.cloud.changes).as("warm %s min %s", warm, min).isEqualTo(before);
        assertThat(node.inStore()).isEqualTo(node.cloud.cidrs());
        assertThat(node.store.assigned()).hasSize(4);
      }
    }
  }
}
