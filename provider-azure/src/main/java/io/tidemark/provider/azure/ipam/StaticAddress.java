package io.tidemark.provider.azure.ipam;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Done;
import io.tidemark.provider.azure.ipam.ConfigurationWrite.Target;
import io.tidemark.provider.azure.network.ArmCondition;
import io.tidemark.provider.azure.network.ArmList;
import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.IpConfiguration;
import io.tidemark.provider.azure.network.PublicAddress;
import io.tidemark.provider.azure.network.PublicAddressChange;
import io.tidemark.provider.azure.network.PublicPrefix;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.azure.network.WritableResource;
import io.tidemark.provider.azure.network.Written;
import io.tidemark.provider.kit.step.StaticAddressBinding;
import io.tidemark.provider.kit.step.StaticAddressBinding.Candidate;
import io.tidemark.provider.kit.step.StaticAddressBinding.Holder;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Gives the primary configuration of an instance's interface a public address of a tagged prefix
 * (provider-azure 4.10, Z32). An instance of a Uniform set asks for it by its model; a virtual
 * machine's interface refers to an address that is made before, under a name that a repetition
 * finds again. Each free address of a prefix is a candidate, so that no two requests are for the
 * last one. For one attempt.
 */
final class StaticAddress implements StaticAddressBinding.Cloud {
  /** Azure has answered, and the interface has no such address. */
  private static final String NOT_SHOWN = "notShown";

  private static final int NAME_MAX = 80;

  /** How long Azure usually takes to make an address. */
  private static final Duration FIRST_POLL = Duration.ofSeconds(2);

  private final ArmCalls arm;
  private final ResourceId instance;
  private final Target target;
  private final String name;

  /** Of the address of a virtual machine, so that a repetition finds what was made before. */
  private final ResourceId own;

  private final ConfigurationWrite write;
  private final CallContext context;

  /** Prefixes that had no address when they were asked. */
  private final Set<ResourceId> full = new HashSet<>();

  /**
   * Nothing is sent yet.
   *
   * @param write of the instance's own interface
   */
  StaticAddress(ConfigurationWrite write) {
    String namePrefix = write.account().settings.namePrefix();
    this.arm = write.account().arm;
    this.instance = ResourceId.of(write.instance().text());
    this.target = write.target();
    this.context = write.context();
    this.name = namePrefix + "public-ip";
    this.own = idFor(target, namePrefix);
    this.write = write;
  }

  @Override
  public CompletionStage<CallResult<List<Candidate>>> find(Map<String, String> tags) {
    return arm.read(ArmRead.writable(target.resource()), context)
        .thenCompose(result -> result.then(base -> found(base, tags)));
  }

  private CompletionStage<CallResult<List<Candidate>>> found(
      WritableResource base, Map<String, String> tags) {
    Optional<IpConfiguration> primary =
        base.find(target.name()).flatMap(each -> InterfaceEdit.primary(each.configurations()));
    if (primary.isEmpty()) {
      return CallResult.failed(
          Failure.of(
              Failure.Kind.CONFLICT,
              "interfaceUnknown",
              base.id() + " has no configuration of " + target.name()));
    }
    String configuration = primary.get().name();
    String called = primary.get().publicAddress();
    if (called.isEmpty()) {
      return candidates(configuration, tags);
    }
    if (base.isOutOfPublicAddresses()) {
      return anew(configuration, tags);
    }
    return CallResult.after(
        current(called, configuration),
        address -> CallResult.answered(List.of(Candidate.held(called, address))),
        failure ->
            isUniform() && base.hasFailed() && failure.condition().equals(NOT_SHOWN)
                ? anew(configuration, tags)
                : CallResult.failed(failure));
  }

  private boolean isUniform() {
    return target.resource().isUniformInstance();
  }

  /** After what was asked for before has failed. */
  private CompletionStage<CallResult<List<Candidate>>> anew(
      String configuration, Map<String, String> tags) {
    return withdrawn().thenCompose(result -> result.then(gone -> candidates(configuration, tags)));
  }

  private CompletionStage<CallResult<List<Candidate>>> candidates(
      String configuration, Map<String, String> tags) {
    return CallResult.after(
        arm.list(ArmList.publicPrefixes(instance), context),
        all -> CallResult.answered(candidates(configuration, usable(all, tags, own))));
  }

  /**
   * Those of IPv4 that are ready and have all of the tags, in the order given: if {@code own} is of
   * some, these, else those that have an address to give.
   */
  static List<PublicPrefix> usable(
      List<PublicPrefix> all, Map<String, String> tags, ResourceId own) {
    List<PublicPrefix> tagged =
        all.stream()
            .filter(each -> each.state().equals("succeeded"))
            .filter(
                each -> each.range().map(Cidr::family).filter(IpFamily.IPV4::equals).isPresent())
            .filter(each -> each.tags().entrySet().containsAll(tags.entrySet()))
            .toList();
    List<PublicPrefix> first =
        tagged.stream().filter(each -> each.addresses().contains(own)).toList();
    return first.isEmpty() ? tagged.stream().filter(each -> each.free() > 0).toList() : first;
  }

  private List<Candidate> candidates(String configuration, List<PublicPrefix> usable) {
    List<Candidate> candidates = new ArrayList<>();
    for (PublicPrefix prefix : usable) {
      long places = prefix.addresses().contains(own) ? 1 : prefix.free();
      for (long i = 0; i < places; i++) {
        candidates.add(
            new Candidate(
                prefix.id().text() + "#" + i,
                Holder.NOBODY,
                () -> associate(configuration, prefix)));
      }
    }
    return candidates;
  }

  @Override
  public boolean isTaken(Failure refusal) {
    return refusal.condition().equals(ArmCondition.PUBLIC_FULL);
  }

  // ---- an address of a prefix

  private CompletionStage<CallResult<IpAddress>> associate(
      String configuration, PublicPrefix prefix) {
    if (full.contains(prefix.id())) {
      return CallResult.failed(
          Failure.of(
              Failure.Kind.CAPACITY, ArmCondition.PUBLIC_FULL, prefix.id() + " has no address"));
    }
    return (isUniform() ? asked(configuration, prefix) : used(prefix))
        .thenApply(
            result -> {
              result.refusal().filter(this::isTaken).ifPresent(taken -> full.add(prefix.id()));
              return result;
            });
  }

  private CompletionStage<CallResult<IpAddress>> asked(String configuration, PublicPrefix prefix) {
    return CallResult.after(
        changed(new PublicAddressChange.OfPrefix(name, prefix.id())),
        done -> current(name, configuration),
        failure ->
            isTaken(failure)
                ? withdrawn()
                    .thenCompose(later -> CallResult.failed(later.refusal().orElse(failure)))
                : CallResult.failed(failure));
  }

  private CompletionStage<CallResult<IpAddress>> used(PublicPrefix prefix) {
    return CallResult.after(
        made(prefix),
        address ->
            changed(new PublicAddressChange.Existing(own))
                .thenApply(changed -> changed.map(done -> address)));
  }

  /** The id of the address that an interface gets: in the interface's group. */
  static ResourceId idFor(Target target, String namePrefix) {
    ResourceId of = target.networkInterface();
    String name = namePrefix + of.name();
    String key = of.text().toLowerCase(Locale.ROOT);
    return ResourceId.of(
        of.groupScope()
            + "/providers/Microsoft.Network/publicIPAddresses/"
            + (name.length() <= NAME_MAX
                ? name
                : namePrefix + Integer.toHexString(key.hashCode())));
  }

  /** Makes the address of a virtual machine of this prefix, unless it is of it already. */
  private CompletionStage<CallResult<IpAddress>> made(PublicPrefix prefix) {
    return prefix.addresses().contains(own)
        ? read(own)
        : CallResult.after(
            arm.createPublicAddress(own, prefix, context),
            this::accepted,
            failure ->
                failure.kind() == Failure.Kind.LOST ? lost(failure) : CallResult.failed(failure));
  }

  private CompletionStage<CallResult<IpAddress>> accepted(Written written) {
    if (written.ended() || written.operation().isEmpty()) {
      return read(own);
    }
    return CallResult.after(
        arm.ended(written, own, new OperationTimes(FIRST_POLL), context),
        status ->
            status
                .failure()
                .<CompletionStage<CallResult<IpAddress>>>map(CallResult::failed)
                .orElseGet(() -> read(own)),
        failure -> read(own));
  }

  /** Whether a request without a response was accepted. */
  private CompletionStage<CallResult<IpAddress>> lost(Failure failure) {
    return read(own)
        .thenApply(
            result -> result.refusal().isEmpty() ? result : new CallResult.Failed<>(failure));
  }

  /** The address, once Azure has given it. */
  private CompletionStage<CallResult<IpAddress>> read(ResourceId id) {
    return CallResult.after(
        arm.settled(ArmRead.publicAddress(id), PublicAddress::state, Duration.ZERO, context),
        read ->
            CallResult.of(
                read.address(),
                () ->
                    Failure.of(
                        Failure.Kind.CONFLICT,
                        "publicAddressFailed",
                        id + " has no address and is " + read.state())));
  }

  /** While the model names a prefix that has no address, every write of the instance fails. */
  private CompletionStage<CallResult<Done>> withdrawn() {
    return changed(new PublicAddressChange.Gone());
  }

  /** Writes the interface. Of an instance the list of its addresses tells more than that. */
  private CompletionStage<CallResult<Done>> changed(PublicAddressChange change) {
    return CallResult.after(
        write.apply(new PublicAddressEdit(change)),
        done ->
            change instanceof PublicAddressChange.Existing used && !done.complete()
                ? CallResult.failed(none(used.address().text()))
                : CallResult.answered(done));
  }

  // ---- the address

  /**
   * The address that the primary configuration has.
   *
   * @param called its id, or its name in the model of an instance
   */
  private CompletionStage<CallResult<IpAddress>> current(String called, String configuration) {
    if (!isUniform()) {
      return ResourceId.parse(called)
          .map(this::read)
          .orElseGet(() -> CallResult.failed(none(called)));
    }
    return CallResult.after(
        arm.list(ArmList.publicAddresses(target.networkInterface(), configuration), context),
        all ->
            CallResult.of(
                all.stream().flatMap(each -> each.address().stream()).findFirst(),
                () -> none(called)));
  }

  private Failure none(String called) {
    return Failure.of(
        Failure.Kind.CONFLICT,
        NOT_SHOWN,
        target.networkInterface() + " does not have the address " + called + " yet");
  }
}
