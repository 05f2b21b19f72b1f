package io.tidemark.daemon.ipamd.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.AssignOutcome;
import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.CooldownRule;
import io.tidemark.datastore.DataStore;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.datastore.cloud.CloudEni;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.aws.metadata.InstanceInterface;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.time.VirtualTime;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a store has before EC2 has answered, and when it answers (AM12, D128)")
class StoreFillingTest {
  private final VirtualTime time = new VirtualTime(1_767_225_600_000L);
  private DataStore store = DataStore.inMemory(time, CidrKind.SECONDARY, CooldownRule.DEFAULT);

  private static InstanceInterface shown(String id, int card, int device, String... singles) {
    return new InstanceInterface(
        id,
        card,
        device,
        "02:00:00:00:00:0" + device,
        "subnet-1",
        InstanceInterface.Use.PODS,
        false,
        AddressSet.copyOf(List.of(singles).stream().map(IpAddress::parse).toList()),
        List.of(),
        device == 0 ? List.of(Cidr.parse("2001:db8::/80")) : List.of());
  }

  private static final InstanceInterface OWN = shown("eni-1", 0, 0, "10.0.0.5");
  private static final InstanceInterface SECOND = shown("eni-2", 0, 1, "10.0.0.6", "10.0.0.7");

  private void fill(InstanceInterface... attached) {
    StoreFilling.byMetadata(store, new CallResult.Answered<>(List.of(attached)));
  }

  private static CloudEni ofOthers(InstanceInterface each) {
    CloudEni eni = Ec2Interfaces.eni(each);
    return new CloudEni(eni.spec(), eni.card(), eni.mac(), false, eni.cidrs());
  }

  /** The address that a pod gets; empty when there is none for it. */
  private String assign(String pod, IpFamily family) {
    AssignOutcome outcome =
        store
            .assign(
                new IpamKey("aws-cni", pod, "eth0"), new IpamMetadata("default", pod, 1), family)
            .toCompletableFuture()
            .getNow(null);
    return outcome instanceof AssignOutcome.Granted granted
        ? granted.assignment().address().toString()
        : "";
  }

  @Test
  @DisplayName("By the metadata pods get addresses of the instance's own interface alone")
  void byMetadata() {
    fill(OWN, SECOND, shown("eni-3", 1, 0, "10.0.0.8"));
    assertThat(store.view().enis())
        .extracting(each -> each.spec().id() + " excluded: " + each.excluded())
        .containsExactly("eni-1 excluded: false", "eni-2 excluded: true");
    assertThat(assign("pod-1", IpFamily.IPV4)).isEqualTo("10.0.0.5");
    assertThat(assign("pod-2", IpFamily.IPV4)).isEmpty();
  }

  @Test
  @DisplayName("By the metadata pods get addresses of the instance's IPv6 prefix")
  void ipv6() {
    store = DataStore.inMemory(time, CidrKind.PREFIX, CooldownRule.DEFAULT);
    fill(OWN, SECOND);
    assertThat(assign("pod-1", IpFamily.IPV6)).startsWith("2001:db8:");
  }

  @Test
  @DisplayName("Metadata that cannot be read leave the store empty")
  void noMetadata() {
    StoreFilling.byMetadata(
        store,
        new CallResult.Failed<>(Failure.of(Failure.Kind.TRANSIENT, "connection", "no metadata")));
    assertThat(store.view().enis()).isEmpty();
  }

  @Test
  @DisplayName("When EC2 shows that an interface is for pods, they get its addresses")
  void settledForPods() {
    fill(OWN, SECOND);
    StoreFilling.settle(store, List.of(Ec2Interfaces.eni(OWN), Ec2Interfaces.eni(SECOND)));
    assertThat(
            List.of(
                assign("pod-1", IpFamily.IPV4),
                assign("pod-2", IpFamily.IPV4),
                assign("pod-3", IpFamily.IPV4)))
        .containsExactlyInAnyOrder("10.0.0.5", "10.0.0.6", "10.0.0.7");
  }

  @Test
  @DisplayName("Of an interface of others the store forgets what no pod has")
  void settledForOthers() {
    fill(OWN, SECOND);
    StoreFilling.settle(store, List.of(Ec2Interfaces.eni(OWN), ofOthers(SECOND)));
    assertThat(store.view().enis()).extracting(each -> each.spec().id()).containsExactly("eni-1");
  }

  @Test
  @DisplayName(
      "A pod keeps its address of an interface that becomes one of others, and no pod more")
  void keptByPods() {
    fill(OWN, SECOND);
    assertThat(store.exclude("eni-2", false)).isEmpty();
    List<String> given = List.of(assign("pod-1", IpFamily.IPV4), assign("pod-2", IpFamily.IPV4));
    StoreFilling.settle(store, List.of(Ec2Interfaces.eni(OWN), ofOthers(SECOND)));
    EniView second = store.view().enis().get(1);
    assertThat(second.excluded()).isTrue();
    assertThat(second.cidrs()).hasSize(second.inUse()).isNotEmpty();
    assertThat(List.of(assign("pod-1", IpFamily.IPV4), assign("pod-2", IpFamily.IPV4)))
        .isEqualTo(given);
    store.growable(false);
    assertThat(assign("pod-3", IpFamily.IPV4)).isIn("", "10.0.0.5");
    assertThat(assign("pod-4", IpFamily.IPV4)).isEmpty();
  }
}
