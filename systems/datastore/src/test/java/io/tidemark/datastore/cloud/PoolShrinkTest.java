package io.tidemark.datastore.cloud;

import static io.tidemark.datastore.cloud.TestLoop.MINUTE;
import static io.tidemark.datastore.cloud.TestLoop.SECOND;
import static io.tidemark.datastore.cloud.TestLoop.targets;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.cloud.CloudAnswer.Reason;
import io.tidemark.ip.Cidr;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node that gives back what it does not need")
class PoolShrinkTest {
  private static final Duration LATE = Duration.ofSeconds(30);

  /** A node with ten addresses on its first interface, of which it needs three. */
  private static TestLoop tooMany() {
    TestLoop node = TestLoop.addresses(2, 0);
    node.cloud.addByOthers(FakeCloud.PRIMARY, CidrKind.SECONDARY, 10);
    return node;
  }

  @Test
  @DisplayName("D94 What is over goes in one request, and a second look gives nothing back")
  void over() {
    TestLoop node = tooMany().started();
    node.pass(MINUTE.multipliedBy(5));
    assertThat(node.calls("unassign")).containsExactly("unassign eni-0 7");
    assertThat(node.inStore()).hasSize(3).isEqualTo(node.cloud.cidrs());
  }

  @Test
  @DisplayName("Decreases begin at least 30 s after one another")
  void pace() {
    TestLoop node = tooMany();
    node.refusals.addAll(List.of(Reason.OTHER, Reason.OTHER));
    node.started().pass(Duration.ofSeconds(29));
    assertThat(node.calls("unassign")).hasSize(1);
    assertThat(node.inStore()).hasSize(10);
    node.pass(Duration.ofSeconds(30));
    assertThat(node.calls("unassign")).hasSize(2);
    node.pass(Duration.ofSeconds(31));
    assertThat(node.inStore()).hasSize(3);
  }

  @Test
  @DisplayName("What the cloud does not take back can be assigned again")
  void refused() {
    TestLoop node = tooMany();
    node.refusals.add(Reason.OTHER);
    node.started().pass(SECOND);
    for (int i = 0; i < 10; i++) {
      assertThat(node.add("pod-" + i)).startsWith("10.0.0.");
    }
  }

  @Test
  @DisplayName("D122 Whether the cloud has it back is not known: nobody gets it until a read tells")
  void answerLost() {
    TestLoop node = tooMany();
    node.fate("unassign", EffectFate.answerLost(Duration.ofMillis(5)));
    node.started().pass(FakeCloudClient.TIMEOUT.plus(LATE).minus(SECOND));
    assertThat(node.cloud.cidrs()).hasSize(3);
    for (int i = 0; i < 3; i++) {
      assertThat(node.cloud.cidrs()).contains(Cidr.parse(node.add("pod-" + i) + "/32"));
    }
    assertThat(node.add("pod-3")).isNotEqualTo("10.0.0.4");
    node.pass(MINUTE);
    assertThat(node.inStore()).isEqualTo(node.cloud.cidrs());
  }

  @Test
  @DisplayName("D122 A read that lags behind does not decide about a lost answer")
  void staleRead() {
    TestLoop node = tooMany();
    node.fate("unassign", EffectFate.answerLost(Duration.ofMillis(5)));
    node.started();
    Set<Cidr> ten = node.cloud.cidrs();
    List<CloudEni> before = node.cloud.now();
    node.shown = enis -> before;
    node.pass(FakeCloudClient.TIMEOUT.plusSeconds(1));
    for (int i = 0; i < 2; i++) {
      int reads = node.calls("read").size();
      node.loop.prepared();
      node.pass(Duration.ofSeconds(14));
      assertThat(node.calls("read")).as("stale, after the lost answer").hasSizeGreaterThan(reads);
      assertThat(node.view().enis().get(0).cidrs()).filteredOn(CidrView::returning).hasSize(7);
    }
    node.shown = enis -> enis;
    node.pass(MINUTE);
    assertThat(node.inStore()).hasSize(3).isSubsetOf(ten).isEqualTo(node.cloud.cidrs());
  }

  @Test
  @DisplayName("D122 Of what got no answer a late read may show a part: that stays, the rest goes")
  void takenBackInPart() {
    TestLoop node = tooMany();
    node.fate("unassign", EffectFate.requestLost());
    node.started().pass(SECOND);
    List<Cidr> returning =
        node.view().enis().get(0).cidrs().stream()
            .filter(CidrView::returning)
            .map(CidrView::cidr)
            .toList();
    returning.subList(0, 3).forEach(each -> node.cloud.removeByOthers(FakeCloud.PRIMARY, each));
    node.refusals.addAll(Collections.nCopies(20, Reason.OTHER));
    node.pass(FakeCloudClient.TIMEOUT.plus(LATE).plus(LATE));
    assertThat(node.inStore()).hasSize(7).isEqualTo(node.cloud.cidrs());
    for (int i = 0; i < 7; i++) {
      assertThat(node.cloud.cidrs()).contains(Cidr.parse(node.add("pod-" + i) + "/32"));
    }
  }

  @Test
  @DisplayName("D122 A read does not decide before all requests of a decrease have ended")
  void readBetweenRequests() {
    TestLoop node = tooMany();
    String second = node.cloud.attachByOthers(true);
    node.cloud.addByOthers(second, CidrKind.SECONDARY, 10);
    node.fate("unassign", EffectFate.answerLost(Duration.ofMillis(5)));
    node.fate("unassign", EffectFate.answerLost(Duration.ofSeconds(19)));
    node.started().pass(FakeCloudClient.TIMEOUT.plusSeconds(12));
    assertThat(node.calls("unassign")).as("the second one is under way").hasSize(2);
    int reads = node.calls("read").size();
    node.loop.prepared();
    node.pass(SECOND.multipliedBy(3));
    assertThat(node.calls("read")).hasSizeGreaterThan(reads);
    assertThat(node.view().enis())
        .flatExtracting(EniView::cidrs)
        .filteredOn(CidrView::returning)
        .as("those of the second one")
        .hasSize(10);
    node.pass(MINUTE.multipliedBy(3));
    assertThat(node.inStore()).isEqualTo(node.cloud.cidrs()).hasSize(3);
  }

  @Test
  @DisplayName("D122 A request to give back that never arrived is made up for")
  void requestLost() {
    TestLoop node = tooMany();
    node.fate("unassign", EffectFate.requestLost());
    node.started().pass(MINUTE.multipliedBy(3));
    assertThat(node.calls("unassign")).hasSize(2);
    assertThat(node.inStore()).hasSize(3).isEqualTo(node.cloud.cidrs());
  }

  @Test
  @DisplayName("An interface that is not needed goes as a whole, once it is a minute old")
  void eni() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, targets(1, 0), 3, 3);
    String second = node.cloud.attachByOthers(true);
    node.cloud.addByOthers(FakeCloud.PRIMARY, CidrKind.SECONDARY, 3);
    node.started().pass(MINUTE.minus(SECOND));
    assertThat(node.calls("unassign")).as("of another one").containsExactly("unassign eni-0 1");
    assertThat(node.view().enis()).hasSize(2);
    node.pass(Duration.ofSeconds(10));
    assertThat(node.calls("remove")).containsExactly("remove " + second);
    assertThat(node.view().enis()).hasSize(1);
    assertThat(node.cloud.now()).hasSize(1);
  }

  @Test
  @DisplayName("DI7 An interface stays while the cloud seems to have taken back what cools on it")
  void eniWithCooling() {
    TestLoop node = TestLoop.twoEnis().started();
    List<CloudEni> first = List.of(node.cloud.now().get(0));
    node.add("a");
    node.add("b");
    node.pass(MINUTE);
    node.del("a");
    node.del("b");
    node.shown =
        enis -> List.of(first.get(0), new CloudEni(enis.get(1).spec(), 0, "", true, List.of()));
    node.loop.prepared();
    node.pass(SECOND);
    assertThat(node.view().enis().get(1).cidrs()).isEmpty();
    node.shown = enis -> enis;
    node.pass(MINUTE.multipliedBy(2));
    assertThat(node.calls("remove")).isEmpty();
    node.pass(MINUTE.multipliedBy(3));
    assertThat(node.calls("remove")).hasSize(1);
  }

  @Test
  @DisplayName(
      "DI9 An interface stays that has an address in the cloud which a pod has elsewhere here")
  void eniWithMore() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, targets(0, 0), 3, 3);
    String second = node.cloud.attachByOthers(true);
    node.started().pass(SECOND.multipliedBy(45));
    node.add("a");
    node.pass(SECOND);
    String pod = node.add("a");
    Cidr used = Cidr.parse(pod + "/32");
    node.cloud.removeByOthers(FakeCloud.PRIMARY, used);
    assertThat(node.cloud.addByOthers(second, CidrKind.SECONDARY, 1)).containsExactly(used);
    node.loop.prepared();
    node.pass(SECOND.multipliedBy(25));
    assertThat(node.calls("remove")).isEmpty();
    node.pass(MINUTE.multipliedBy(2));
    assertThat(node.add("a")).isEqualTo(pod);
    assertThat(node.store.assigned().get(0).assignment().eniId()).isEqualTo(second);
    assertThat(node.calls("remove")).isEmpty();
    node.del("a");
    node.pass(MINUTE.multipliedBy(5));
    assertThat(node.calls("remove")).as("in the end").containsExactly("remove " + second);
  }

  @Test
  @DisplayName("D122 An interface whose removal got no answer serves nobody until a read tells")
  void eniAnswerLost() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, targets(1, 0), 3, 3);
    String second = node.cloud.attachByOthers(true);
    node.cloud.addByOthers(FakeCloud.PRIMARY, CidrKind.SECONDARY, 2);
    node.fate("remove", EffectFate.answerLost(Duration.ofMillis(5)));
    node.started().pass(MINUTE.plusSeconds(40));
    assertThat(node.view().enis().get(1).draining()).isTrue();
    node.pass(MINUTE);
    assertThat(node.view().enis()).extracting(eni -> eni.spec().id()).doesNotContain(second);
    assertThat(node.calls("remove")).hasSize(1);
  }

  @Test
  @DisplayName("D122 An interface that the cloud does not know is given up after a read")
  void eniUnknown() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, targets(1, 0), 3, 3);
    String second = node.cloud.attachByOthers(true);
    node.cloud.addByOthers(FakeCloud.PRIMARY, CidrKind.SECONDARY, 2);
    node.started().pass(MINUTE);
    node.cloud.detachByOthers(second);
    node.pass(MINUTE);
    assertThat(node.view().enis()).hasSize(1);
  }

  @Test
  @DisplayName("D66 What an excluded interface no longer uses goes back")
  void excluded() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, targets(1, 0), 5, 3);
    node.cloud.addByOthers(FakeCloud.PRIMARY, CidrKind.SECONDARY, 5);
    node.started();
    assertThat(node.store.exclude(FakeCloud.PRIMARY, true)).isEmpty();
    node.pass(MINUTE.multipliedBy(3));
    assertThat(node.view().enis().get(0).cidrs()).isEmpty();
    assertThat(node.view().enis().get(1).cidrs()).hasSize(1);
    assertThat(node.inStore()).isEqualTo(node.cloud.cidrs());
  }

  @Test
  @DisplayName("Single addresses of a node that has changed to prefixes go when pods have left")
  void otherKind() {
    TestLoop node = new TestLoop(CidrKind.PREFIX, targets(1, 0), 5, 3);
    node.cloud.addByOthers(FakeCloud.PRIMARY, CidrKind.SECONDARY, 3);
    node.started().pass(MINUTE.multipliedBy(3));
    assertThat(node.calls("unassign")).containsExactly("unassign eni-0 3");
    assertThat(node.inStore()).hasSize(1).isEqualTo(node.cloud.cidrs());
  }
}
