package io.tidemark.datastore.cloud;

import static io.tidemark.datastore.cloud.TestLoop.MINUTE;
import static io.tidemark.datastore.cloud.TestLoop.SECOND;
import static io.tidemark.datastore.cloud.TestLoop.targets;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.MultiCardStore;
import io.tidemark.datastore.StoreEniSpec;
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
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A store that is compared with the cloud")
class PoolReconcilerTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D99 D124 A store that is as the cloud says stays as it is, and is read every minute \
            | node 1 0; start; 1s; add a = 4; 1s; add b = 5; 2m; store = 4 5 6; mark; 10m; \
              changed = false; between read 8 10
          D99 A free address that the cloud does not show goes; pods get no address of it \
            | node 1 0; start; 1s; add a = 4; 1s; add b = 5; 2m; store = 4 5 6; mark; \
              others remove 6; room 0; nextRead; store = 4 5; forced = 0
          D99 A read that fails, and an answer without the primary interface, change nothing \
            | node 1 0; start; 1s; add a = 4; 1s; add b = 5; 2m; store = 4 5 6; mark; \
              reads fail; 10m; store = 4 5 6; reads; shows none; 10m; store = 4 5 6; \
              orphans = none; hasRead = true
          D128 While the limits of the instance are unknown the pool stays as it is; nothing \
            is given back \
            | node 2 4; limits unknown; start; 5m; changed = false; canGrow = unknown; \
              limits known; 1m; size = 4; limits unknown; others add 0 5; 10m; size = 9
          D99 A cloud that cannot be read is asked less and less often, up to a minute \
            | node 1 0; start; 1s; add a = 4; 1s; add b = 5; 2m; store = 4 5 6; mark; \
              reads fail; mark; 60m; between read 60 130
          D100 What was freed is not taken up again within a minute, and later it is \
            | node 2 0; others add 0 10; start; 1s; size = 3; others add 0 7; \
              lose assign answer 0s; 10s; add p0 p1 p2 = 11 12 13; 40s; between read 2 99; \
              size = 3; 2m; asInCloud = 6
          D101 What a pod uses is lost only when it is still missing after 30 s \
            | node 1 0; start; 1s; add a = 4; 1s; add b = 5; 2m; store = 4 5 6; mark; hides 4; \
              nextRead; has 4 = true; shows all; 3m; others remove 4; nextRead; has 4 = true; \
              12s; readsAgain; has 4 = true; 12s; readsAgain; has 4 = true; 4s; readsAgain; \
              has 4 = false; orphans = a; ends a = lost 4
          D101 An interface with pods is kept when it is missing once, and lost when it is \
            twice \
            | node 0 4 2x3; start; 10s; add p0 p1 p2 p3 = 4 5 6 7; 3m; hidesEni 1; nextRead; \
              enis = 0:2/2 1:2/2; shows all; 2m; orphans = none; others detach 1; room 0; 2m; \
              orphans = p2 p3; enis = 0:2/2
          D101 What no pod uses of an interface with pods stays, too, when it is missing once \
            | node 0 4 2x3; start; 10s; add p0 p1 p2 = 4 5 6; 3m; enis = 0:2/2 1:2/1; \
              store = 4 5 6 7; hidesEni 1; nextRead; store = 4 5 6 7
          D101 When a lost address comes back its pod has it again, and else it is forgotten \
            | node 1 0; start; 1s; add a = 4; 1s; add b = 5; 2m; store = 4 5 6; mark; hides 4; \
              2m; orphans = a; shows all; 3m; orphans = none; pods = a:4@0 b:5@0; \
              others remove 4; 3m; orphans = a; 6m; orphans = none; file = b
          D101 A pod keeps an address that is on another interface now \
            | node 0 3 3x3; start; 1s; add a = 4; 2m; others attach; others remove 4; \
              others add 1 1 = 4; nextRead; add a = 4; pods = a:4@1; orphans = none
          D101 A pod keeps an address that moves when its interface is detached \
            | node 0 4 2x4; start; 10s; add p0 p1 p2 p3 = 4 5 6 7; 2m; others detach 1; \
              others attach; others add 2 2 = 6 7; nextRead; pods = p0:4@0 p1:5@0 p2:6@2 p3:7@2; \
              orphans = none
          D101 A pod keeps an address that the cloud gives anew, on another interface \
            | node 0 3 3x3; start; 1s; add p0 p1 p2 = 4 5 6; others remove 4; add p3; 1s; \
              count create = 1; pods = p0:4@1 p1:5@0 p2:6@0; add p0 = 4; orphans = none; 5m; \
              asInCloud = 3
          D123 An answer that lags behind neither removes what is new nor adds what is gone \
            | node 1 0; start; 1s; add a = 4; 1s; add b = 5; 2m; store = 4 5 6; mark; remember; \
              shows remembered; add c = 6; 1s; store = 4 5 6 7; lose unassign answer 0s; 62s; \
              shows all; 3m; orphans = none; forced = 0; has 7 = true; asInCloud = 5
          D123 What nobody uses yet stays, too, when an answer that lags behind lacks it \
            | node 3 0; remember; start; 1s; store = 4 5 6; shows remembered; readsAgain; \
              store = 4 5 6
          D123 A new interface that nobody uses yet stays, too, when an answer lacks it \
            | node 4 0 3x3; start; 20s; enis = 0:3/0 1:1/0; hidesEni 1; readsAgain; \
              enis = 0:3/0 1:1/0
          D123 An answer that lags behind does not bring back an interface that was removed \
            | two; remember; start; 65s; cloudEnis = 0; shows remembered; readsAgain; \
              enis = 0:1/0; add a; 1s; add b; 1s; add c; 1s; allInCloud = true
          D123 A read may show what the cloud gives before its answer comes \
            | node 1 0; slow assign 0s 10s; start; 1s; readsAgain; add a = 4; 1m; add a = 4; \
              forced = 0
          D123 An answer to a read that began before a change does not undo the change \
            | node 1 0; start; 1s; add a = 4; 1s; add b = 5; 2m; store = 4 5 6; mark; remember; \
              shows remembered; slow read 15s 0s; 1m; add c = 6; 15s; shows all; asInCloud = 4
          """)
  void story(String name, String story) {
    LoopStory.run(story);
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
  @DisplayName("A node that changes all the time is compared all the same, every five minutes")
  void busy() {
    TestLoop node = TestLoop.addresses(1, 0).started();
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
