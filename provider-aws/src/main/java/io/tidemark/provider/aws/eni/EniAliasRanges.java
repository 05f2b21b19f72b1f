package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniAccount.done;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.kit.Change;
import io.tidemark.provider.kit.step.RangeAssignment;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AliasRangeOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeAliasRanges;
import io.tidemark.spi.SyncOutcome;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The prefixes of instances as their alias ranges (node-cidr AM29): /80 of IPv6 and /28 of IPv4,
 * those of the instance's own interface first, then those of the others by card and index. A range
 * is added to the instance's own interface. Thread-safe.
 */
final class EniAliasRanges implements NodeAliasRanges, RangeAssignment.Cloud {
  private static final Logger LOG = LoggerFactory.getLogger(EniAliasRanges.class);

  /**
   * The form of an instance for the cloud controller manager of AWS: a zone or none, or the id
   * alone. A Fargate pod's node has another last part.
   */
  private static final Pattern PROVIDER_ID =
      Pattern.compile("(?:aws://[^/]*(?:/[^/]*)?/)?(i-[0-9a-f]+)");

  private static final int IPV4_LENGTH = 28;
  private static final int IPV6_LENGTH = 80;

  private static final Comparator<AwsEni> ORDER =
      Comparator.comparingInt((AwsEni eni) -> eni.place().card()).thenComparingInt(AwsEni::index);

  private final EniAccount account;
  private final EniNodes nodes;
  private final BiFunction<InstanceId, CallContext, CompletionStage<SyncOutcome>> sync;
  private final RangeAssignment assignment;

  /** Instances with several ranges of a family, as last reported. */
  private final ConcurrentHashMap<InstanceId, List<Cidr>> several = new ConcurrentHashMap<>();

  /**
   * Those of one account.
   *
   * @param sync reads one instance again, with others in one request
   */
  EniAliasRanges(
      EniAccount account,
      EniNodes nodes,
      BiFunction<InstanceId, CallContext, CompletionStage<SyncOutcome>> sync) {
    this.account = account;
    this.nodes = nodes;
    this.sync = sync;
    this.assignment =
        new RangeAssignment(this, account.scheduler.time(), account.settings.horizon());
  }

  @Override
  public Optional<InstanceId> instanceOf(String providerId) {
    Matcher matcher = PROVIDER_ID.matcher(providerId);
    return matcher.matches() ? Optional.of(new InstanceId(matcher.group(1))) : Optional.empty();
  }

  @Override
  public Optional<List<Cidr>> ranges(InstanceId instance) {
    return account.inventory.find(instance).map(view -> of(view.interfaces()));
  }

  static List<Cidr> of(List<AwsEni> interfaces) {
    return interfaces.stream()
        .sorted(ORDER)
        .flatMap(eni -> Stream.concat(eni.ipv6Prefixes().stream(), eni.prefixes().stream()))
        .toList();
  }

  @Override
  public CompletionStage<AliasRangeOutcome> add(
      InstanceId instance, Cidr cidr, CallContext context) {
    if (cidr.prefixLength() == (cidr.family() == IpFamily.IPV4 ? IPV4_LENGTH : IPV6_LENGTH)) {
      return assignment.add(instance, cidr, context);
    }
    context.giveBackToken();
    return done(
        new AliasRangeOutcome.Refused(
            Ec2Condition.BAD_CONFIG.failure(
                "EC2 assigns blocks of /"
                    + IPV4_LENGTH
                    + " and /"
                    + IPV6_LENGTH
                    + ", not "
                    + cidr)));
  }

  @Override
  public CompletionStage<CallResult<InstanceId>> send(
      InstanceId instance, Cidr range, CallContext context) {
    Optional<AwsEni> own = own(instance);
    return own.isPresent()
        ? assign(instance, own.get(), range, context)
        : sync.apply(instance, context)
            .thenCompose(outcome -> whenRead(outcome, instance, range, context));
  }

  private CompletionStage<CallResult<InstanceId>> whenRead(
      SyncOutcome outcome, InstanceId instance, Cidr range, CallContext context) {
    Optional<AwsEni> own = own(instance);
    if (own.isPresent()) {
      return assign(instance, own.get(), range, context);
    }
    if (outcome instanceof SyncOutcome.Failed failed) {
      return CallResult.failed(failed.failure());
    }
    return CallResult.failed(
        outcome instanceof SyncOutcome.InstanceNotFound
            ? Ec2Condition.INSTANCE_GONE.failure("EC2 shows no " + instance)
            : Failure.of(
                Failure.Kind.TRANSIENT,
                "notAttached",
                "EC2 shows no interface at device 0 of " + instance));
  }

  private CompletionStage<CallResult<InstanceId>> assign(
      InstanceId instance, AwsEni own, Cidr range, CallContext context) {
    return account
        .ec2
        .assignPrefix(own.id(), range, context)
        .thenApply(result -> result.map(id -> instance));
  }

  private Optional<AwsEni> own(InstanceId instance) {
    return account.inventory.find(instance).flatMap(view -> AwsEni.primaryOf(view.interfaces()));
  }

  @Override
  public CompletionStage<CallResult<Boolean>> shows(
      InstanceId instance, Cidr range, CallContext context) {
    return sync.apply(instance, context)
        .thenApply(
            outcome ->
                outcome instanceof SyncOutcome.Failed failed
                    ? new CallResult.Failed<>(failed.failure())
                    : new CallResult.Answered<>(
                        ranges(instance).filter(all -> all.contains(range)).isPresent()));
  }

  @Override
  public void added(InstanceId instance, Cidr range) {
    account
        .inventory
        .find(instance)
        .flatMap(view -> holder(view.interfaces(), range))
        .ifPresent(eni -> account.inventory.wrote(instance, true, change(eni, range)));
  }

  private static Optional<AwsEni> holder(List<AwsEni> interfaces, Cidr range) {
    return interfaces.stream()
        .filter(eni -> eni.prefixes().contains(range) || eni.ipv6Prefixes().contains(range))
        .findFirst()
        .or(() -> AwsEni.primaryOf(interfaces));
  }

  private static Change<AwsEni> change(AwsEni eni, Cidr range) {
    return range.family() == IpFamily.IPV4
        ? new Change.Added<>(eni.id(), AddressSet.of(), List.of(range))
        : new Change.Edited<>(eni.id(), each -> each.plusIpv6(List.of(range)));
  }

  /** EC2 has no code of its own for a prefix that is assigned already, to whatever interface. */
  @Override
  public RangeAssignment.Meaning meaning(Failure refusal) {
    return switch (Ec2Condition.of(refusal)) {
      case ADDRESS_IN_USE, PREFIX_EXHAUSTED, SUBNET_EXHAUSTED -> RangeAssignment.Meaning.HELD;
      case ENI_FULL, BAD_CONFIG, OTHER -> RangeAssignment.Meaning.DOUBTFUL;
      default -> RangeAssignment.Meaning.REFUSED;
    };
  }

  /**
   * Reports an instance that has several ranges of a family; it was just read. Nodes of the engine
   * have as many prefixes as they need.
   */
  void check(InstanceId instance) {
    List<Cidr> all = nodes.byInstance.isEmpty() ? ranges(instance).orElse(List.of()) : List.of();
    boolean one = Stream.of(IpFamily.values()).allMatch(family -> count(all, family) <= 1);
    if (one) {
      several.remove(instance);
    } else if (!all.equals(several.put(instance, all))) {
      LOG.warn(
          "An instance has several prefixes of a family; the first of each counts. instance={}"
              + " prefixes={}",
          instance,
          all);
    }
  }

  private static long count(List<Cidr> all, IpFamily family) {
    return all.stream().filter(each -> each.family() == family).count();
  }

  void forget(InstanceId instance) {
    several.remove(instance);
    assignment.forget(instance);
  }
}
