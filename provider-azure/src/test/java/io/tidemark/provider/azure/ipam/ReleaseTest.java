package io.tidemark.provider.azure.ipam;

import static io.tidemark.provider.azure.ipam.Landscape.configuration;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.model.Power;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Target;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Release on Azure (Z26-Z29)")
class ReleaseTest {
  private final AzureWorld world = new AzureWorld(ModelOptions.of(1));
  private final Landscape land = new Landscape(world);
  private final AzureAllocation azure = world.allocation();

  private ReleaseOutcome release(OneNode node, AddressSet singles, List<Cidr> blocks) {
    InterfaceId nic = node.known().interfaces().get(0).id();
    PoolId pool = node.azure.poolQuota().keySet().iterator().next();
    ReleaseAction proper = node.node.prepareIpRelease(1_000, AddressSet.of());
    return world.await(
        node.node.release(
            new ReleaseAction(
                Optional.of(nic), Optional.of(pool), singles, blocks, proper.firstCall()),
            world.context()));
  }

  /** Why nothing of it is released, nor written. */
  private Failure unwritten(OneNode node, AddressSet singles) {
    int writes = world.writes();
    Failure why = OneNode.failure(release(node, singles, List.of()));
    assertThat(world.writes()).isEqualTo(writes);
    return why;
  }

  private int used() {
    return 4091 - azureFree();
  }

  private int azureFree() {
    AzureAllocation fresh = world.allocation();
    return OneNode.on(world, fresh, Form.MACHINE.machine).quota();
  }

  @EachForm
  @DisplayName("AZ-B13 AZ-B15 one of three addresses is released, and Azure has exactly one more")
  void byAddress(Form form) {
    OneNode node = OneNode.on(world, azure, form.machine);
    AddressSet three = node.added(3);
    int before = used();
    IpAddress gone = three.at(1);
    assertThat(release(node, AddressSet.of(gone), List.of()))
        .isInstanceOf(ReleaseOutcome.Released.class);
    assertThat(node.addresses()).isEqualTo(three.minus(gone));
    assertThat(world.added(form.target)).isEqualTo(2);
    assertThat(used()).isEqualTo(before - 1);
    assertThat(world.seen(form.target).configurations())
        .noneMatch(each -> each.range().equals(Optional.of(Cidr.single(gone))));
  }

  @EachForm
  @DisplayName("AZ-B14 AZ-B16 a primary address is never planned; asked for, nothing is sent")
  void primary(Form form) {
    OneNode node = OneNode.on(world, azure, form.machine);
    AddressSet two = node.added(2);
    IpAddress primary = node.shown().get(0).ip().orElseThrow();
    assertThat(node.node.prepareCidrRelease(Set.of(Cidr.single(primary)))).isEmpty();
    assertThat(node.node.prepareIpRelease(3, AddressSet.of()).addresses()).isEqualTo(two);
    Failure why = unwritten(node, AddressSet.of(primary, two.at(0)));
    assertThat(why.kind()).isEqualTo(Failure.Kind.CONFIGURATION);
    assertThat(why.detail()).contains("primary").contains("networkInterfaces");
    assertThat(node.addresses()).isEqualTo(two);
  }

  @EachForm
  @DisplayName("AZ-B33 what is gone already counts as released, without a write")
  void goneAlready(Form form) {
    OneNode node = OneNode.on(world, azure, form.machine);
    AddressSet two = node.added(2);
    OneNode other = OneNode.on(world, world.allocation(), form.machine);
    other.released(two);
    int writes = world.writes();
    int quota = node.quota();
    node.released(two);
    assertThat(world.writes()).isEqualTo(writes);
    assertThat(node.addresses().isEmpty()).isTrue();
    assertThat(node.quota()).isEqualTo(quota);
  }

  @Test
  @DisplayName("AZ-B33 a configuration without a name is kept, and asked for it is a conflict")
  void nameless() {
    OneNode node = OneNode.on(world, azure, Form.MACHINE.machine);
    AddressSet two = node.added(2);
    String name =
        world.seen(AzureWorld.MACHINE).configurations().stream()
            .filter(each -> each.range().equals(Optional.of(Cidr.single(two.at(0)))))
            .findFirst()
            .orElseThrow()
            .name();
    world.way.rewriting(body -> body.replace("\"name\":\"" + name + "\"", "\"name\":null"));
    assertThat(unwritten(node, two).kind()).isEqualTo(Failure.Kind.CONFLICT);
  }

  @Test
  @DisplayName("AZ-B34 an address that the instance's model lacks is a conflict, without a write")
  void modelLacks() {
    OneNode node = OneNode.on(world, azure, Form.UNIFORM.machine);
    AddressSet two = node.added(2);
    world.way.rewriting(
        body ->
            body.contains("networkProfileConfiguration")
                ? body.replaceAll("Tidemark-([a-z0-9]{7}).", "Tidemark-$1X")
                : body);
    assertThat(unwritten(node, two).condition()).isEqualTo("modelDiffers");
    assertThat(node.addresses()).isEqualTo(two);
  }

  @Test
  @DisplayName("AZ-N32 blocks and singles are released by one write")
  void together() {
    OneNode node = OneNode.withBlocks(world, azure, Form.MACHINE.machine);
    node.added(16);
    OneNode singles = OneNode.on(world, azure, Form.MACHINE.machine);
    singles.added(3);
    int writes = world.writes();
    AddressSet all = node.known().interfaces().get(0).singles();
    List<Cidr> blocks = node.blocks();
    assertThat(all.size()).isEqualTo(3);
    assertThat(blocks).hasSize(1);
    Set<Cidr> cidrs = new TreeSet<>(OneNode.singles(all.first(2)));
    cidrs.addAll(blocks);
    assertThat(node.release(cidrs)).isInstanceOf(ReleaseOutcome.Released.class);
    assertThat(world.writes()).isEqualTo(writes + 1);
    assertThat(node.addresses()).isEqualTo(all.last(1));
    assertThat(world.added(AzureWorld.MACHINE)).isEqualTo(1);
  }

  @Test
  @DisplayName("AZ-N33 what is pinned takes places and serves pods, and is never released")
  void pinned() {
    String machine = land.addMachine("vm-1", "nodes");
    String[] ours = {"Tidemark-lb", "Tidemark-nat", "Tidemark-gw", "Tidemark-ip", "Tidemark-glb"};
    Document[] links = {
      Document.of("loadBalancerBackendAddressPools", List.of(Document.reference("/lb"))),
      Document.of("loadBalancerInboundNatRules", List.of(Document.reference("/nat"))),
      Document.of("applicationGatewayBackendAddressPools", List.of(Document.reference("/gw"))),
      Document.of("gatewayLoadBalancer", Document.reference("/glb")),
      Document.of("gatewayLoadBalancer", Document.reference("/glb2")),
    };
    Document[] all = new Document[ours.length + 3];
    all[0] = configuration("primary", "nodes");
    for (int i = 0; i < ours.length; i++) {
      all[i + 1] = configuration(ours[i], "nodes", links[i]);
    }
    all[ours.length + 1] = configuration("ipconfig2", "nodes");
    all[ours.length + 2] = configuration("Cilium-old", "nodes");
    land.addInterface("vm-1-eth1", machine, all);
    OneNode node = OneNode.on(world, azure, machine);
    assertThat(node.known().statistics().capacityIpv4()).isEqualTo(254);
    assertThat(node.addresses().size()).isEqualTo(7);
    assertThat(node.node.prepareIpAllocation().ipv4().roomOnInterface()).isEqualTo(256 - 2 - 7);
    ReleaseAction plan = node.node.prepareIpRelease(7, AddressSet.of());
    assertThat(plan.addresses().size()).as("the one of a cluster taken over").isEqualTo(1);
    Set<Cidr> cidrs = OneNode.singles(node.addresses());
    assertThat(node.node.prepareCidrRelease(cidrs))
        .singleElement()
        .satisfies(each -> assertThat(each.addresses()).isEqualTo(plan.addresses()));
    OneNode foreign = OneNode.on(world, foreign(), machine);
    assertThat(foreign.node.prepareIpRelease(7, AddressSet.of()).addresses().size()).isEqualTo(2);
  }

  @EachForm
  @DisplayName("AZ-N33 what was pinned after the plan is not removed")
  void pinnedMeanwhile(Form form) {
    OneNode node = OneNode.on(world, azure, form.machine);
    AddressSet two = node.added(2);
    world.way.rewriting(
        body ->
            body.replace(
                "\"primary\":false",
                "\"primary\":false,\"loadBalancerBackendAddressPools\":[{\"id\":\"x\"}]"));
    assertThat(unwritten(node, two).kind()).isEqualTo(Failure.Kind.CONFLICT);
    assertThat(node.addresses()).isEqualTo(two);
  }

  @EachForm
  @DisplayName("Z26 a release whose answer was lost is looked up before anything else is believed")
  void lost(Form form) {
    OneNode node = OneNode.on(world, azure, form.machine);
    AddressSet two = node.added(2);
    world.azure.faults(ArmFault.every(form.put, ArmFault.Kind.LOSE_ANSWER).once());
    node.released(two.first(1));
    world.azure.faults(ArmFault.every(form.put, ArmFault.Kind.LOSE_REQUEST).once());
    assertThat(node.release(OneNode.singles(two.last(1))))
        .isInstanceOf(ReleaseOutcome.Unknown.class);
    assertThat(node.addresses().isEmpty()).as("it may be gone").isTrue();
    node.sync();
    world.pass(Duration.ofSeconds(61));
    node.sync();
    assertThat(node.addresses()).as("it is not").isEqualTo(two.last(1));
    assertThat(world.writes()).isEqualTo(3);
  }

  @Test
  @DisplayName("AZ-N49 what the write of a release completes is known at once")
  void completesOthers() {
    OneNode node = OneNode.on(world, azure, Form.MACHINE.machine);
    AddressSet two = node.added(2);
    leaveIncomplete(node, 3);
    assertThat(node.addresses()).isEqualTo(two);
    node.released(two.first(1));
    assertThat(world.added(Form.MACHINE.target)).isEqualTo(4);
    assertThat(node.addresses().size()).isEqualTo(4);
  }

  @EachForm
  @DisplayName("AZ-B33 a release that a read does not confirm is unknown until one does")
  void stillShown(Form form) {
    OneNode node = OneNode.on(world, azure, form.machine);
    AddressSet two = node.added(2);
    AtomicReference<String> before = new AtomicReference<>();
    world.way.rewriting(
        body -> {
          if (!body.contains("\"privateIPAddress\"")) {
            return body;
          }
          boolean first = before.compareAndSet(null, body);
          return first ? body : before.get();
        });
    assertThat(node.release(OneNode.singles(two.first(1))))
        .isInstanceOf(ReleaseOutcome.Unknown.class);
    world.way.rewriting(body -> body);
    assertThat(world.added(form.target)).isEqualTo(1);
    node.sync();
    assertThat(node.addresses()).isEqualTo(two.last(1));
  }

  @Test
  @DisplayName("Z29 a released address counts as free after ten minutes")
  void quarantine() {
    OneNode node = OneNode.on(world, azure, Form.MACHINE.machine);
    AddressSet five = node.added(5);
    int full = node.quota() + 5;
    node.release(OneNode.singles(five));
    assertThat(node.quota()).isEqualTo(full - 5);
    world.pass(Duration.ofMinutes(9));
    node.resync();
    assertThat(node.quota()).as("though Azure counts them as free").isEqualTo(full - 5);
    world.pass(Duration.ofSeconds(75));
    assertThat(node.quota()).isEqualTo(full);
  }

  @Test
  @DisplayName("Z27 a second interface releases its own addresses only")
  void secondInterface() {
    String machine = land.addMachine("vm-1", "nodes");
    land.addInterface("vm-1-eth1", machine, configuration("primary", "nodes"));
    OneNode node = OneNode.on(world, azure, machine);
    node.added(3);
    Set<String> with = new HashSet<>();
    node.shown().forEach(each -> with.add(each.name() + each.addresses().size()));
    assertThat(with).containsExactlyInAnyOrder("vm-1-eth03", "vm-1-eth10");
    ReleaseAction plan = node.node.prepareIpRelease(2, AddressSet.of());
    assertThat(plan.onInterface().orElseThrow().text()).endsWith("vm-1-eth0");
    Target second = new Target(ResourceId.of(Landscape.nic("vm-1-eth1")), "vm-1-eth1", 1);
    world.await(node.node.release(plan, world.context()));
    assertThat(world.added(second)).isZero();
    assertThat(node.addresses().size()).isEqualTo(1);
  }

  // ---- what the write of a release completes beside (N49)

  private OneNode machine() {
    return OneNode.on(world, Form.MACHINE.machine);
  }

  private OneNode withBlocks() {
    return OneNode.withBlocks(world, world.allocation(), Form.MACHINE.machine);
  }

  /** A write that fails leaves so many addresses incomplete on the machine's interface. */
  private void leaveIncomplete(OneNode node, int addresses) {
    world.azure.faults(ArmFault.every(Form.MACHINE.put, ArmFault.Kind.FAIL_OPERATION).once());
    assertThat(node.allocate(addresses)).isInstanceOf(AllocationOutcome.Refused.class);
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
  }

  @Test
  @DisplayName("AZ-N49 a block that the write of a release completes is known at once")
  void completesBlock() {
    OneNode node = withBlocks();
    node.added(16);
    List<Cidr> first = node.blocks();
    leaveIncomplete(node, 16);
    assertThat(node.blocks()).isEqualTo(first);
    assertThat(node.release(Set.copyOf(first))).isInstanceOf(ReleaseOutcome.Released.class);
    assertThat(node.blocks()).hasSize(1).doesNotContainAnyElementsOf(first);
    assertThat(world.addresses(AzureWorld.MACHINE)).contains(node.blocks().get(0).toString());
  }

  @Test
  @DisplayName("AZ-N49 what was there before such a write is not taken for its effect")
  void completesNoMore() {
    OneNode node = machine();
    AddressSet three = node.added(3);
    world.pass(Duration.ofMinutes(6)); // own writes do not take precedence any more
    leaveIncomplete(node, 2);
    node.release(OneNode.singles(three.first(1)));
    assertThat(node.addresses().size()).isEqualTo(2 + 2);
    machine().release(OneNode.singles(three.last(1)));
    node.sync();
    assertThat(node.addresses().size()).as("another has released one").isEqualTo(1 + 2);
  }

  @Test
  @DisplayName("AZ-N49 nor are blocks that were there before")
  void completesNoMoreBlocks() {
    OneNode node = withBlocks();
    node.added(48);
    List<Cidr> three = node.blocks();
    world.pass(Duration.ofMinutes(6)); // own writes do not take precedence any more
    leaveIncomplete(node, 16);
    node.release(Set.of(three.get(0)));
    assertThat(node.blocks()).hasSize(2 + 1);
    withBlocks().release(Set.of(three.get(2)));
    node.sync();
    assertThat(node.blocks()).as("another has released one").hasSize(1 + 1);
  }

  @Test
  @DisplayName("AZ-N49 nor is what another has added before a release taken for its effect")
  void addedByOthers() {
    OneNode node = machine();
    AddressSet two = node.added(2);
    world.pass(Duration.ofMinutes(6)); // own writes do not take precedence any more
    OneNode other = machine();
    AddressSet theirs = other.added(2);
    node.release(OneNode.singles(two.first(1)));
    other.sync();
    other.release(OneNode.singles(theirs));
    node.sync();
    assertThat(node.addresses()).isEqualTo(two.last(1));
  }

  // ---- beside other writers (Z20)

  /** Releases the one at {@code ours} of three while another of the node's releases the last. */
  private static void besideAnother(Form form, int ours) {
    AzureWorld world = AzureWorld.lasting(Duration.ofSeconds(20));
    OneNode node = OneNode.on(world, form.machine);
    AddressSet three = node.added(3);
    world.pass(Duration.ofMinutes(6)); // own writes do not take precedence any more
    OneNode other = OneNode.on(world, form.machine);
    CompletionStage<ReleaseOutcome> theirs =
        other.node.release(
            other.node.prepareCidrRelease(OneNode.singles(three.last(1))).get(0), world.context());
    world.pass(Duration.ofSeconds(1));
    Failure why = OneNode.failure(node.release(Set.of(Cidr.single(three.at(ours)))));
    assertThat(why.kind()).isEqualTo(Failure.Kind.CONFLICT);
    assertThat(node.blocked()).contains(BlockedReason.READING_BACK);
    long known = node.known().generation();
    assertThat(((SyncOutcome.Failed) node.sync()).isUnderWay()).isTrue();
    assertThat(node.resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.known().generation()).isEqualTo(known);
    assertThat(world.await(theirs)).isInstanceOf(ReleaseOutcome.Released.class);
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.addresses()).isEqualTo(three.first(2));
    assertThat(node.blocked()).isEmpty();
  }

  @EachForm
  @DisplayName("AZ-N25 after a release that meets another's, no read counts until that has ended")
  void conflict(Form form) {
    besideAnother(form, 0);
  }

  @EachForm
  @DisplayName("AZ-B33 AZ-N25 what another's write removes is not released before that has ended")
  void beingRemoved(Form form) {
    besideAnother(form, 2);
  }

  @Test
  @DisplayName(
      "AZ-N43 a release that a stopped instance refuses does not make its addresses doubtful")
  void refusedOtherwise() {
    AzureWorld world = AzureWorld.lasting(Duration.ofSeconds(20));
    OneNode node = OneNode.on(world, Form.UNIFORM.machine);
    AddressSet two = node.added(2);
    world.azure.change(owner -> owner.setPower(node.machine, Power.STOPPED));
    Failure why = OneNode.failure(node.release(OneNode.singles(two)));
    assertThat(why.kind()).isEqualTo(Failure.Kind.NOT_RUNNING);
    assertThat(node.blocked()).isEmpty();
  }

  @Test
  @DisplayName("AZ-B33 what is gone already counts as released, though the instance is stopped")
  void goneFromStopped() {
    AzureWorld world = AzureWorld.lasting(Duration.ofSeconds(20));
    OneNode node = OneNode.on(world, Form.UNIFORM.machine);
    AddressSet two = node.added(2);
    OneNode other = OneNode.on(world, Form.UNIFORM.machine);
    other.released(two);
    world.azure.change(owner -> owner.setPower(node.machine, Power.STOPPED));
    node.released(two);
    assertThat(node.addresses().isEmpty()).isTrue();
  }

  @Test
  @DisplayName("AZ-B33 a configuration without a name is kept where those of others are released")
  void namelessOfOthers() {
    OneNode node = OneNode.on(world, foreign(), Form.MACHINE.machine);
    AddressSet two = node.added(2);
    world.way.rewriting(body -> body.replaceAll("\"name\":\"Tidemark-[^\"]*\"", "\"name\":null"));
    assertThat(unwritten(node, two.first(1)).kind()).isEqualTo(Failure.Kind.CONFLICT);
  }

  /** The provider of an operator that also releases what others have added. */
  private AzureAllocation foreign() {
    return world.allocation(AzureSettingsSample.of("azure-release-foreign", "true"));
  }
}
