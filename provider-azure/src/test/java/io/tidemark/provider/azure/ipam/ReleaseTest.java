package io.tidemark.provider.azure.ipam;

import static io.tidemark.provider.azure.ipam.Landscape.configuration;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.model.ArmFault;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Target;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("Release on Azure (Z26-Z29)")
class ReleaseTest {
  private final AzureWorld world = new AzureWorld(ModelOptions.of(1));
  private final Landscape land = new Landscape(world);
  private final AzureAllocation azure = world.allocation();

  @TestFactory
  Stream<DynamicTest> stories() {
    return AzureStory.all(
        "",
        """
        AZ-B13 AZ-B15 one of three addresses is released, and Azure has exactly one more
          on; add 3 as three; mark azureFree; force three:2!three:1; has three:1+three:-1; azure 2;
          azureFree +1; lacks three:2!three:1
        AZ-B14 AZ-B16 a primary address is never planned; asked for, nothing is sent
          on; add 2 as two; primary own; unplanned own; planUnused 3 none; plans two; mark writes;
          force own+two:1 NothingReleased CONFIGURATION primary networkInterfaces; writes +0;
          has two
        AZ-B33 what is gone already counts as released, without a write
          on; add 2 as two; other on; other release two; mark writes; mark quota; release two;
          writes +0; has 0; quota +0
        AZ-B33 a configuration without a name is kept, and asked for it is a conflict
          MACHINE: on; add 2 as two; answers (?s)^(.*?)"name":"Tidemark-[^"]*" => $1"name":null;
          mark writes; force two NothingReleased CONFLICT; writes +0
        AZ-B33 a configuration without a name is kept where those of others are released
          MACHINE: settings azure-release-foreign true; on; add 2 as two; mark writes;
          answers "name":"Tidemark-[^"]*" => "name":null; force two:1 NothingReleased CONFLICT;
          writes +0
        AZ-B34 an address that the instance's model lacks is a conflict, without a write
          UNIFORM: on; add 2 as two; mark writes;
          answers networkProfileConfiguration in Tidemark-([a-z0-9]{7}). => Tidemark-$1X;
          force two NothingReleased modelDiffers; writes +0; has two
        AZ-N33 what was pinned after the plan is not removed
          on; add 2 as two; mark writes;
          answers "primary":false => "primary":false,"loadBalancerBackendAddressPools":[{"id":"x"}];
          force two NothingReleased CONFLICT; writes +0; has two
        Z26 a release whose answer was lost is looked up before anything else is believed
          on; add 2 as two; fault lose-answer write times=1; release two:1; noFault;
          fault lose-request write times=1; release two:-1 Unknown; has 0; sync ?; 61s; sync ?;
          has two:-1; writes 3
        AZ-B33 a release that a read does not confirm is unknown until one does
          on; add 2 as two; answers asBefore; release two:1 Unknown; answers asTheyAre; azure 1;
          sync ?; has two:-1
        Z29 a released address counts as free after ten minutes, though Azure counts it before
          MACHINE: on; add 5 as five; mark quota; release five; quota +0; 9m; resync ?; quota +0;
          75s; quota +5
        AZ-N49 what the write of a release completes is known at once
          MACHINE: on; add 2 as two; fault fail-operation write times=1; allocate 3 Refused; sync;
          has two; release two:1; azure 4; has 4
        AZ-N49 what was there before such a write is not taken for its effect
          MACHINE: on; add 3 as three; 6m; fault fail-operation write times=1; allocate 2 Refused;
          sync; release three:1; has 4; other on; other release three:-1; sync ?; has 3
        AZ-N49 nor is what another has added before a release taken for its effect
          MACHINE: on; add 2 as two; 6m; other on; other add 2 as theirs; release two:1;
          other sync ?; other release theirs; sync ?; has two:-1
        AZ-N25 after a release that meets another's, no read counts until that has ended
          cloud operation: 20s; on; add 3 as three; 6m; other on; other plan three:-1;
          other carryOutMeanwhile; 1s; release three:1 NothingReleased CONFLICT;
          blocked READING_BACK; mark generation; sync Failed operationUnderWay; resync;
          generation +0; other ends Released; sync; has three:2; free
        AZ-B33 AZ-N25 what another's write removes is not released before that has ended
          cloud operation: 20s; on; add 3 as three; 6m; other on; other plan three:-1;
          other carryOutMeanwhile; 1s; release three:-1 NothingReleased CONFLICT;
          blocked READING_BACK; mark generation; sync Failed operationUnderWay; resync;
          generation +0; other ends Released; sync; has three:2; free
        AZ-N43 a release that a stopped instance refuses does not make its addresses doubtful
          UNIFORM: cloud operation: 20s; on; add 2 as two; power STOPPED;
          release two NothingReleased NOT_RUNNING; free
        AZ-B33 what is gone already counts as released, though the instance is stopped
          UNIFORM: cloud operation: 20s; on; add 2 as two; other on; other release two;
          power STOPPED; release two; has 0\
        """);
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

  /** The provider of an operator that also releases what others have added. */
  private AzureAllocation foreign() {
    return world.allocation(AzureSettingsSample.of("azure-release-foreign", "true"));
  }
}
