package io.tidemark.provider.azure.ipam;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Done;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Target;
import io.tidemark.provider.azure.network.ArmCondition;
import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.AzureNetworkInterface;
import io.tidemark.provider.azure.network.AzureSubnet;
import io.tidemark.provider.azure.network.ConfigurationChange.NewConfiguration;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.pool.Rung;
import io.tidemark.provider.kit.step.AddressAssignment;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** Changes to Azure for one node: configurations are added and removed by whole writes. */
final class AzureChanges {
  private final AzureAccount account;
  private final InstanceId instance;
  private final boolean uniform;
  private final Ghosts ghosts;

  AzureChanges(AzureAccount account, InstanceId instance, boolean uniform) {
    this.account = account;
    this.instance = instance;
    this.uniform = uniform;
    this.ghosts = new Ghosts(account.settings.horizon());
  }

  private ConfigurationWrite write(Nic nic, CallContext context) {
    Target target = new Target(ResourceId.of(nic.id().text()), nic.name(), nic.configurations());
    return new ConfigurationWrite(account, instance, ghosts, target, context);
  }

  // ---- addresses are added

  /** Adds addresses to an interface; one write for each rung of the ladder (Z24). */
  CompletionStage<AllocationOutcome> add(
      Nic nic, List<Rung<Optional<AzureSubnet>>> ladder, CallContext context) {
    account.subnets.recount(nic.pool());
    AtomicBoolean restLost = new AtomicBoolean();
    return new AddressAssignment<>(
            account.state, (Rung<Optional<AzureSubnet>> rung) -> add(nic, rung, restLost, context))
        .run(instance, nic, ladder, context)
        .thenApply(
            outcome -> {
              if (restLost.get()) {
                doubt(nic);
              }
              return outcome;
            });
  }

  /** A configuration that was not shown may still come. */
  private void doubt(Nic nic) {
    Nic now = account.inventory.find(instance).flatMap(view -> view.find(nic.id())).orElse(nic);
    account.inventory.wrote(instance, false, new Change.AssignLost<>(nic.id(), now.slotsTaken()));
  }

  private CompletionStage<CallResult<AttachedInterface>> add(
      Nic nic, Rung<Optional<AzureSubnet>> rung, AtomicBoolean restLost, CallContext context) {
    List<NewConfiguration> wanted = account.names.draw(rung.blocks(), rung.singles());
    return CallResult.after(
        write(nic, context).apply(ConfigurationEdit.adding(wanted, nic.podAddresses())),
        done -> {
          restLost.set(!done.complete());
          return added(nic, wanted, done, context);
        });
  }

  /**
   * The part of {@code wanted} that the interface got; a block may turn out to be a single (Z31).
   */
  private CompletionStage<CallResult<AttachedInterface>> added(
      Nic nic, List<NewConfiguration> wanted, Done end, CallContext context) {
    AzureNetworkInterface mine = end.seen().withConfigurations(end.names());
    return account.reader.isAmbiguous(mine, Optional.empty())
        ? CallResult.after(
            account.arm.read(ArmRead.writable(ResourceId.of(instance.text())), context),
            model -> got(nic, wanted, mine, model.blocks()),
            failure -> notShown(nic.id() + ": " + failure.detail()))
        : got(nic, wanted, mine, Set.of());
  }

  private CompletionStage<CallResult<AttachedInterface>> got(
      Nic nic, List<NewConfiguration> wanted, AzureNetworkInterface mine, Set<String> blocks) {
    Nic made = account.reader.read(mine, Optional.empty(), Optional.of(blocks));
    boolean askedBlocks = wanted.stream().anyMatch(NewConfiguration::block);
    if (uniform && askedBlocks && !made.singles().isEmpty()) {
      account.blocksRefused(ResourceId.of(instance.text()));
    }
    return made.singles().isEmpty() && made.prefixes().isEmpty()
        ? notShown(nic.id() + " does not show what was written yet")
        : CallResult.answered(new AttachedInterface(nic.id(), made.singles(), made.prefixes()));
  }

  private static <T> CompletionStage<CallResult<T>> notShown(String detail) {
    return CallResult.failed(Failure.of(Failure.Kind.LOST, "notShown", detail));
  }

  // ---- addresses are removed

  /** Removes the configurations of these addresses and blocks in one write (Z26). */
  CompletionStage<CallResult<InterfaceId>> remove(
      Nic nic, AddressSet singles, List<Cidr> blocks, CallContext context) {
    if (account.isUnderWay(instance)) {
      return busy(context);
    }
    return CallResult.after(
        account.arm.shown(ResourceId.of(nic.id().text()), context),
        seen -> remove(nic, seen, singles, blocks, context),
        failure -> unsent(failure, context));
  }

  private <T> CompletionStage<CallResult<T>> busy(CallContext context) {
    return unsent(
        Failure.of(
            Failure.Kind.CONFLICT,
            ArmCondition.BUSY,
            "an operation on " + instance + " has not ended"),
        context);
  }

  private static <T> CompletionStage<CallResult<T>> unsent(Failure failure, CallContext context) {
    context.giveBackToken();
    return CallResult.failed(failure);
  }

  private CompletionStage<CallResult<InterfaceId>> remove(
      Nic nic,
      AzureNetworkInterface seen,
      AddressSet singles,
      List<Cidr> blocks,
      CallContext context) {
    Set<String> names = new HashSet<>();
    List<Failure> obstacles = new ArrayList<>();
    for (IpConfiguration each : seen.configurations()) {
      if (holds(each, singles, blocks)) {
        obstacle(nic, each).ifPresent(obstacles::add);
        names.add(each.name());
      }
    }
    if (!obstacles.isEmpty()) {
      return unsent(obstacles.get(0), context);
    }
    if (names.isEmpty() && ArmCalls.goesOn(seen.state())) {
      account.unsettled.add(instance); // another writer may be removing just these
      return busy(context);
    }
    if (names.isEmpty()) {
      context.giveBackToken();
      return CallResult.answered(nic.id());
    }
    return CallResult.after(
        write(nic, context).apply(ConfigurationEdit.removing(names)),
        done -> {
          completed(nic, done.seen());
          return done.complete()
              ? CallResult.answered(nic.id())
              : notShown(nic.id() + " still shows what was removed");
        },
        why -> {
          if (why.kind() == Failure.Kind.CONFLICT) {
            account.unsettled.add(instance); // another writer may remove just these
          }
          return CallResult.failed(why);
        });
  }

  /** A write completes what a failed one before it was to add, whatever it is for (N49). */
  private void completed(Nic nic, AzureNetworkInterface seen) {
    if (nic.incomplete() == 0) {
      return;
    }
    Nic now = account.reader.read(seen, Optional.of(nic), Optional.empty());
    List<Cidr> blocks = new ArrayList<>(now.prefixes());
    blocks.removeAll(nic.prefixes());
    AddressSet came = now.singles().minus(nic.singles());
    if (!came.isEmpty() || !blocks.isEmpty()) {
      account.inventory.wrote(instance, true, new Change.Added<>(nic.id(), came, blocks));
    }
  }

  private static boolean holds(IpConfiguration each, AddressSet singles, List<Cidr> blocks) {
    return each.range()
        .filter(
            range ->
                (range.isSingle() && singles.contains(range.first()))
                    || blocks.contains(NicReader.blockOf(range.first())))
        .isPresent();
  }

  /** Why a configuration may not be removed; it has changed since the plan. */
  private Optional<Failure> obstacle(Nic nic, IpConfiguration each) {
    if (each.primary()) {
      return Optional.of(
          Failure.of(
              Failure.Kind.CONFIGURATION,
              "primary",
              "the primary configuration of " + nic.id() + " is never removed"));
    }
    boolean foreign = !account.settings.release().foreign() && !account.names.isOurs(each.name());
    return each.pinned() || foreign || each.name().isEmpty()
        ? Optional.of(
            Failure.of(
                Failure.Kind.CONFLICT,
                "pinned",
                "configuration '" + each.name() + "' of " + nic.id() + " is used by others"))
        : Optional.empty();
  }

  // ---- a public address

  /** Gives a public address of a prefix with these tags to the primary interface (Z32). */
  CompletionStage<AllocationOutcome> bindPublicAddress(
      Nic own, Map<String, String> tags, CallContext context) {
    StaticAddress requests = new StaticAddress(write(own, context));
    return account.binding.run(instance, own, requests, tags, context);
  }
}
