package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.doctor.Report.Work;
import io.tidemark.provider.aws.ec2.AwsEndpointAnswer;
import io.tidemark.provider.aws.ec2.Ec2Clients.Identity;
import io.tidemark.provider.aws.ec2.Ec2Filter;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.eni.OwnerTags;
import io.tidemark.provider.aws.metadata.InstanceMetadata;
import io.tidemark.provider.aws.start.StartupRequests;
import io.tidemark.provider.kit.Together;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
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
import java.util.function.DoubleFunction;

/**
 * One look at everything in a region. Who answers, as whom we are known, the metadata and the
 * cluster's name are asked side by side; where EC2 answers, then the resources of the nodes, the
 * permissions by reads, and by changes unless the endpoint does what it is only asked about. Each
 * step ends by its part of the time, with whatever came of it; the last part is for the report.
 *
 * @param parts the context of a step, by the part of the time at which it ends
 */
record RegionCheckup(
    CheckupSettings settings,
    Accounts accounts,
    InstanceMetadata metadata,
    String region,
    DoubleFunction<CallContext> parts) {
  /** Who answers, and as whom we are known. Two attempts take a third of a minute. */
  private static final double ANSWERS = 0.45;

  /** Which instances and interfaces there are. */
  private static final double TARGETS = 0.65;

  private static final double READS = 0.82;
  private static final double CHANGES = 0.97;

  private record Needs(List<Asked> reads, List<Asked> changes, Set<Asked> uncertain) {}

  CompletionStage<List<Finding>> run(List<NodeResource> nodes) {
    CallContext first = parts.apply(ANSWERS);
    var identity = accounts.identity(false, first);
    var networkIdentity =
        settings.networkRole().isPresent() ? accounts.identity(true, first) : identity;
    var instance = StartupRequests.ask(accounts.door(false), first, metadata::instanceId);
    var endpoint =
        accounts.endpoint(
            ec2 ->
                ec2.describeInstances(
                    Ec2Filter.of("instance-id", Set.of("i-00000000")), Optional.empty()),
            first);
    var cluster = clusterName(first);
    var work = endpoint.thenCompose(answer -> work(answer, nodes, identity));
    return identity.thenCompose(
        own ->
            networkIdentity.thenCompose(
                other ->
                    endpoint.thenCompose(
                        ec2 ->
                            instance.thenCompose(
                                id ->
                                    cluster.thenCombine(
                                        work,
                                        (name, done) ->
                                            new Report(
                                                    settings, region, nodes, own, other, ec2, id,
                                                    name, done)
                                                .findings(accounts.clockSkew()))))));
  }

  /** As the start finds it: by the settings, the instance's metadata, its tag in EC2. */
  private CompletionStage<ClusterNaming> clusterName(CallContext context) {
    return settings.cluster().isPresent()
        ? CompletableFuture.completedStage(
            new ClusterNaming(new CallResult.Answered<>(settings.cluster()), ClusterNaming.SETTING))
        : StartupRequests.ask(accounts.door(false), context, metadata::clusterName)
            .thenCompose(
                result ->
                    result.answer().flatMap(name -> name).isPresent()
                        ? CompletableFuture.completedStage(
                            new ClusterNaming(result, "the instance's metadata"))
                        : clusterTag(context));
  }

  private CompletionStage<ClusterNaming> clusterTag(CallContext context) {
    return CallResult.after(
            StartupRequests.ask(accounts.door(false), context, metadata::instanceId),
            id ->
                accounts.read(
                    Ec2Operation.DESCRIBE_TAGS,
                    false,
                    context,
                    api -> api.describeTag(new InstanceId(id), ClusterNaming.TAG)))
        .thenApply(result -> new ClusterNaming(result, "the instance's tag " + ClusterNaming.TAG));
  }

  // ---- what only EC2 can tell

  private CompletionStage<Work> work(
      CallResult<AwsEndpointAnswer> endpoint,
      List<NodeResource> nodes,
      CompletionStage<CallResult<Identity>> identity) {
    AwsTargets named = AwsTargets.of(nodes);
    Needs needs = needs(named);
    CallResult<AwsEndpointAnswer> usable =
        endpoint.flatMap(
            answer -> answer.ofEc2() ? endpoint : FailureWords.untried(Report.NOT_EC2));
    return usable.match(
        answer -> work(nodes, named, needs, identity),
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
      List<NodeResource> nodes,
      AwsTargets named,
      Needs needs,
      CompletionStage<CallResult<Identity>> identity) {
    CallContext last = parts.apply(CHANGES);
    var instances =
        new InstanceSearch(
                named.batches(),
                ids ->
                    accounts.read(
                        Ec2Operation.DESCRIBE_INSTANCES,
                        false,
                        last,
                        api ->
                            api.describeInstances(
                                Ec2Filter.ofInstances("instance-id", ids), Optional.empty())))
            .run();
    var count = new TargetSearch(accounts, last).count();
    return new TargetSearch(accounts, parts.apply(TARGETS))
        .targets(nodes, settings.cluster())
        .thenCompose(targets -> probes(needs, targets, identity))
        .thenCompose(
            probes ->
                instances.thenCombine(
                    count,
                    (found, counted) -> new Work(found, probes, needs.uncertain(), counted)));
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
    return asked.operation().kind().effect() == CallKind.Effect.READ;
  }

  private CompletionStage<Map<Asked, CallResult<Boolean>>> probes(
      Needs needs, AwsTargets targets, CompletionStage<CallResult<Identity>> identity) {
    return tried(needs.reads(), targets, "", READS)
        .thenCompose(
            read -> {
              if (read.values().stream().anyMatch(each -> each.answer().isPresent())) {
                needs
                    .changes()
                    .forEach(each -> read.put(each, FailureWords.untried(Report.NO_DRY_RUNS)));
                return CompletableFuture.completedStage(read);
              }
              return account(identity)
                  .thenCompose(account -> tried(needs.changes(), targets, account, CHANGES))
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
        ? identity.thenApply(told -> told.answer().map(Identity::accountId).orElse(""))
        : CompletableFuture.completedStage("");
  }

  /** All of them at once, in order. */
  private CompletionStage<Map<Asked, CallResult<Boolean>>> tried(
      List<Asked> permissions, AwsTargets targets, String account, double part) {
    CallContext context = parts.apply(part);
    Map<String, String> tags = new LinkedHashMap<>(settings.tags());
    tags.put(OwnerTags.CLUSTER, settings.cluster().orElse(""));
    return Together.each(
        permissions,
        asked ->
            accounts.probe(
                asked,
                PermissionProbe.of(asked, targets, settings.subnetIds(), tags, account),
                context));
  }
}
