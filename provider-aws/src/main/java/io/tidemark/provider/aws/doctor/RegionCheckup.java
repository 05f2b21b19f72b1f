package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.doctor.Shares.Step;
import io.tidemark.provider.aws.ec2.AwsEndpointAnswer;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Clients.Identity;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.eni.OwnerTags;
import io.tidemark.provider.aws.metadata.InstanceMetadata;
import io.tidemark.provider.aws.start.StartupRequests;
import io.tidemark.provider.kit.Together;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Finding;
import io.tidemark.spi.InstanceId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * One look at everything in a region. Who answers, as whom we are known, the metadata and the
 * cluster's name are asked side by side; where EC2 answers, then the resources of the nodes, the
 * permissions by reads, and by changes unless the endpoint does what it is only asked about. Each
 * step ends by its share of the time, with whatever came of it. Not shared.
 */
final class RegionCheckup {
  private final CheckupSettings settings;
  private final Accounts accounts;
  private final InstanceMetadata metadata;
  private final String region;
  private final Shares shares;

  RegionCheckup(
      CheckupSettings settings,
      Accounts accounts,
      InstanceMetadata metadata,
      String region,
      Shares shares) {
    this.settings = settings;
    this.accounts = accounts;
    this.metadata = metadata;
    this.region = region;
    this.shares = shares;
  }

  /**
   * The results of requests to EC2.
   *
   * @param probes by permission, in the order to be shown
   * @param uncertain what only nodes that are not known could need
   */
  private record Work(
      CallResult<InstanceSearch.Found> instances,
      Map<Asked, CallResult<Boolean>> probes,
      Set<Asked> uncertain,
      CallResult<TargetSearch.Count> interfaces) {
    void fill(Report report, int named) {
      report.instances(instances, named);
      report.uncertain(uncertain);
      report.tried(probes);
      report.interfaces(interfaces);
    }
  }

  private record Needs(List<Asked> reads, List<Asked> changes, Set<Asked> uncertain) {}

  CompletionStage<List<Finding>> run(List<NodeResource> nodes) {
    CallContext first = shares.of(Step.ANSWERS);
    var identity = accounts.identity(first);
    var instance = StartupRequests.ask(accounts.door(false), first, metadata::instanceId);
    var reads = accounts.reads(first);
    var endpoint =
        accounts.endpoint(
            ec2 -> ec2.describeInstances(Set.of(new InstanceId("i-00000000")), Optional.empty()),
            first);
    var cluster = clusterName(reads, first);
    var work = endpoint.thenCompose(answer -> work(answer, nodes, identity, reads));
    int named = AwsTargets.of(nodes).batches().stream().mapToInt(Set::size).sum();
    CompletionStage<Report> report = CompletableFuture.completedStage(new Report(settings, region));
    report = with(report, identity, Report::identity);
    if (settings.roles().network().isPresent()) {
      report = with(report, accounts.networkIdentity(first), Report::networkIdentity);
    }
    report = with(report, endpoint, Report::endpoint);
    report = with(report, instance, Report::metadata);
    report = with(report, cluster, (to, told) -> to.cluster(told.finding()));
    report = with(report, work, (to, told) -> told.fill(to, named));
    if (named > 0) {
      var owners =
          work.thenCombine(
              cluster, (told, of) -> InterfaceOwners.finding(told.interfaces(), of, nodes));
      report = with(report, owners, Report::owners);
    }
    return report.thenApply(full -> full.findings(accounts.clockSkew()));
  }

  private static <T> CompletionStage<Report> with(
      CompletionStage<Report> report, CompletionStage<T> part, BiConsumer<Report, T> fill) {
    return report.thenCombine(
        part,
        (to, told) -> {
          fill.accept(to, told);
          return to;
        });
  }

  /** As the start finds it: by the settings, the instance's metadata, its tag in EC2. */
  private CompletionStage<ClusterNaming> clusterName(
      CompletionStage<CallResult<Ec2Api>> reads, CallContext context) {
    return settings.cluster().isPresent()
        ? CompletableFuture.completedStage(
            new ClusterNaming(new CallResult.Answered<>(settings.cluster()), ClusterNaming.SETTING))
        : StartupRequests.ask(accounts.door(false), context, metadata::clusterName)
            .thenCompose(
                result -> {
                  boolean named = result.match(Optional::isPresent, failure -> false);
                  return named
                      ? CompletableFuture.completedStage(
                          new ClusterNaming(result, "the instance's metadata"))
                      : clusterTag(reads, context);
                });
  }

  private CompletionStage<ClusterNaming> clusterTag(
      CompletionStage<CallResult<Ec2Api>> reads, CallContext context) {
    return StartupRequests.ask(accounts.door(false), context, metadata::instanceId)
        .thenCompose(
            result ->
                result.match(
                    id ->
                        reads.thenCompose(
                            by ->
                                accounts.read(
                                    by,
                                    Ec2Operation.DESCRIBE_TAGS,
                                    false,
                                    context,
                                    api -> api.describeTag(new InstanceId(id), ClusterNaming.TAG))),
                    failure ->
                        CompletableFuture.completedStage(
                            new CallResult.Failed<Optional<String>>(failure))))
        .thenApply(result -> new ClusterNaming(result, "the instance's tag " + ClusterNaming.TAG));
  }

  // ---- what only EC2 can tell

  private CompletionStage<Work> work(
      CallResult<AwsEndpointAnswer> endpoint,
      List<NodeResource> nodes,
      CompletionStage<CallResult<Identity>> identity,
      CompletionStage<CallResult<Ec2Api>> reads) {
    AwsTargets named = AwsTargets.of(nodes);
    Needs needs = needs(named);
    CallResult<AwsEndpointAnswer> usable =
        endpoint.match(
            answer -> answer.ofEc2() ? endpoint : FailureWords.untried(Report.NOT_EC2),
            failure -> endpoint);
    return usable.match(
        answer -> reads.thenCompose(by -> work(by, nodes, named, needs, identity)),
        failure -> CompletableFuture.completedStage(unasked(needs, afterEndpoint(failure))));
  }

  /** A request that was not sent did not wait for an answer of its own. */
  private static Failure afterEndpoint(Failure failure) {
    return failure.isOfDeadline()
        ? Failure.of(failure.kind(), "deadlinePassed", "EC2's endpoint had not answered yet")
        : failure;
  }

  /** The same stands for every request, because none can be sent. */
  private static Work unasked(Needs needs, Failure failure) {
    Map<Asked, CallResult<Boolean>> probes = new LinkedHashMap<>();
    needs.reads().forEach(each -> probes.put(each, new CallResult.Failed<>(failure)));
    needs.changes().forEach(each -> probes.put(each, new CallResult.Failed<>(failure)));
    return new Work(
        new CallResult.Failed<>(failure),
        probes,
        needs.uncertain(),
        new CallResult.Failed<>(failure));
  }

  private CompletionStage<Work> work(
      CallResult<Ec2Api> by,
      List<NodeResource> nodes,
      AwsTargets named,
      Needs needs,
      CompletionStage<CallResult<Identity>> identity) {
    CompletionStage<CallResult<InstanceSearch.Found>> instances = instances(by, named);
    CompletionStage<CallResult<TargetSearch.Count>> count =
        new TargetSearch(accounts, by, shares.of(Step.CHANGES)).count();
    return new TargetSearch(accounts, by, shares.of(Step.TARGETS))
        .targets(nodes, settings.cluster())
        .thenCompose(targets -> probes(needs, targets, identity))
        .thenCombine(count, Map::entry)
        .thenCombine(
            instances,
            (told, found) -> new Work(found, told.getKey(), needs.uncertain(), told.getValue()));
  }

  private CompletionStage<CallResult<InstanceSearch.Found>> instances(
      CallResult<Ec2Api> by, AwsTargets named) {
    CallContext context = shares.of(Step.CHANGES);
    return new InstanceSearch(
            named.batches(),
            ids ->
                accounts.read(
                    by,
                    Ec2Operation.DESCRIBE_INSTANCES,
                    false,
                    context,
                    api -> api.describeInstances(ids, Optional.empty())))
        .run();
  }

  // ---- permissions

  private Needs needs(AwsTargets named) {
    Set<Feature> features = new HashSet<>(settings.features());
    features.addAll(named.uses());
    List<Asked> certain = Permissions.asked(features);
    features.addAll(named.mayUse());
    List<Asked> all = Permissions.asked(features);
    Set<Asked> uncertain = new HashSet<>(all);
    certain.forEach(uncertain::remove);
    return new Needs(
        all.stream().filter(RegionCheckup::isRead).toList(),
        all.stream().filter(each -> !isRead(each)).toList(),
        uncertain);
  }

  private static boolean isRead(Asked asked) {
    return asked.operation().kind().equals(Accounts.probeKind(asked.operation()));
  }

  private CompletionStage<Map<Asked, CallResult<Boolean>>> probes(
      Needs needs, AwsTargets targets, CompletionStage<CallResult<Identity>> identity) {
    return tried(needs.reads(), targets, "", Step.READS)
        .thenCompose(
            read -> {
              if (read.values().stream().anyMatch(Report::wasDone)) {
                needs
                    .changes()
                    .forEach(each -> read.put(each, FailureWords.untried(Report.NO_DRY_RUNS)));
                return CompletableFuture.completedStage(read);
              }
              return account(identity)
                  .thenCompose(account -> tried(needs.changes(), targets, account, Step.CHANGES))
                  .thenApply(
                      changed -> {
                        read.putAll(changed);
                        return read;
                      });
            });
  }

  /** The account of the instances, to which interfaces of another are opened. */
  private CompletionStage<String> account(CompletionStage<CallResult<Identity>> identity) {
    return settings.features().contains(Feature.TWO_ACCOUNTS)
        ? identity.thenApply(told -> told.match(Identity::accountId, failure -> ""))
        : CompletableFuture.completedStage("");
  }

  /** All of them at once, in order. */
  private CompletionStage<Map<Asked, CallResult<Boolean>>> tried(
      List<Asked> permissions, AwsTargets targets, String account, Step step) {
    CallContext context = shares.of(step);
    return Together.each(
        permissions,
        asked ->
            accounts.probe(
                asked,
                PermissionProbe.of(asked, targets, settings.subnetIds(), tags(), account),
                context));
  }

  private Map<String, String> tags() {
    Map<String, String> all = new LinkedHashMap<>(settings.tags());
    all.put(OwnerTags.CLUSTER, settings.cluster().orElse(""));
    return all;
  }
}
