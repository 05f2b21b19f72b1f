package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.PoolQuota;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/** A node on an emulated Azure, with the provider that keeps its addresses. */
final class OneNode {
  final AzureWorld world;
  final AzureAllocation azure;
  final String machine;
  final NodeOperations node;

  private OneNode(AzureWorld world, AzureAllocation azure, String machine, NodeOperations node) {
    this.world = world;
    this.azure = azure;
    this.machine = machine;
    this.node = node;
  }

  /** A node on this machine that was read already. */
  static OneNode on(AzureWorld world, String machine) {
    return on(world, world.allocation(), machine);
  }

  static OneNode on(AzureWorld world, AzureAllocation azure, String machine) {
    return on(world, azure, world.resource(machine));
  }

  static OneNode on(AzureWorld world, AzureAllocation azure, NodeResource resource) {
    OneNode made = unread(world, azure, resource, false);
    assertThat(made.sync()).isInstanceOf(SyncOutcome.Synced.class);
    return made;
  }

  /** The same that wants blocks. */
  static OneNode withBlocks(AzureWorld world, AzureAllocation azure, String machine) {
    OneNode made = unread(world, azure, world.resource(machine), true);
    assertThat(made.sync()).isInstanceOf(SyncOutcome.Synced.class);
    return made;
  }

  /** A node that was not read yet. */
  static OneNode unread(
      AzureWorld world, AzureAllocation azure, NodeResource resource, boolean blocks) {
    return new OneNode(
        world,
        azure,
        resource.instanceId().orElseThrow(),
        azure.createNode(world.settings(blocks), resource));
  }

  CompletionStage<SyncOutcome> beginSync() {
    return azure.instanceSync(world.id(machine), world.context());
  }

  SyncOutcome sync() {
    return world.await(beginSync());
  }

  SyncOutcome resync() {
    return world.await(azure.resync(world.context()));
  }

  CompletionStage<AllocationOutcome> begin(int count, Duration within) {
    AllocationAction plan = node.prepareIpAllocation();
    assertThat(plan.blocked()).isEmpty();
    return node.allocateIps(
        plan.with(plan.ipv4().wanting(count, OptionalInt.empty()), 0), world.context(within));
  }

  /** Why nothing can be allocated; empty when something can. */
  Optional<BlockedReason> blocked() {
    return node.prepareIpAllocation().blocked().map(Blocked::reason);
  }

  AllocationOutcome allocate(int count) {
    return world.await(begin(count, Duration.ofMinutes(5)));
  }

  static Failure refusal(AllocationOutcome outcome) {
    assertThat(outcome).isInstanceOf(AllocationOutcome.Refused.class);
    return ((AllocationOutcome.Refused) outcome).failure();
  }

  static Failure failure(ReleaseOutcome outcome) {
    assertThat(outcome).isInstanceOf(ReleaseOutcome.NothingReleased.class);
    return ((ReleaseOutcome.NothingReleased) outcome).failure();
  }

  static Failure failure(SyncOutcome outcome) {
    assertThat(outcome).isInstanceOf(SyncOutcome.Failed.class);
    return ((SyncOutcome.Failed) outcome).failure();
  }

  /** The addresses that an allocation which must succeed has added. */
  AddressSet added(int count) {
    AllocationOutcome outcome = allocate(count);
    assertThat(outcome).isInstanceOf(AllocationOutcome.Allocated.class);
    return AttachedInterface.addressesOf(((AllocationOutcome.Allocated) outcome).added());
  }

  Inventory.Known known() {
    assertThat(node.inventory()).isInstanceOf(Inventory.Known.class);
    return (Inventory.Known) node.inventory();
  }

  /** The addresses for pods. */
  AddressSet addresses() {
    return AttachedInterface.addressesOf(known().interfaces());
  }

  List<Cidr> blocks() {
    return known().interfaces().stream().flatMap(each -> each.blocks().stream()).toList();
  }

  /** Releases these, which must succeed. */
  void released(AddressSet addresses) {
    assertThat(release(singles(addresses))).isInstanceOf(ReleaseOutcome.Released.class);
  }

  /** Releases exactly these. */
  ReleaseOutcome release(Set<Cidr> cidrs) {
    List<ReleaseAction> actions = node.prepareCidrRelease(cidrs);
    assertThat(actions).hasSize(1);
    return world.await(node.release(actions.get(0), world.context()));
  }

  static Set<Cidr> singles(AddressSet addresses) {
    return new TreeSet<>(addresses.toList().stream().map(Cidr::single).toList());
  }

  /** The machine's interfaces that the resource shows. */
  List<AzureStatus.Interface> shown() {
    Optional<AzureStatus> status = node.withProviderStatus(world.resource(machine)).azureStatus();
    return new ArrayList<>(status.orElse(AzureStatus.EMPTY).interfaces().values());
  }

  /** Free addresses of all known pools. */
  int quota() {
    return azure.poolQuota().values().stream().mapToInt(PoolQuota::availableIps).sum();
  }
}
