package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.DryRuns;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Clients;
import io.tidemark.provider.aws.ec2.Ec2Clients.Identity;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.provider.aws.ec2.NetworkInterface;
import io.tidemark.provider.aws.ec2.Page;
import io.tidemark.provider.aws.metadata.InstanceMetadata;
import io.tidemark.provider.aws.start.StartCalls;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Finding;
import io.tidemark.spi.InstanceId;
import io.tidemark.time.TimeSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One look at everything in a region: identity, resources to try on, reads, then changes unless the
 * endpoint does what it is only asked about, at last what there is of interfaces. One step after
 * the other; not shared.
 */
final class Round {
  private static final String CLUSTER_TAG = "tidemark.io/cluster";

  /** Enough to see twenty thousand interfaces. */
  private static final int PAGES_MAX = 20;

  private final CheckupSettings settings;
  private final Ec2Clients clients;
  private final InstanceMetadata metadata;
  private final CloudCalls calls;
  private final CloudCalls network;
  private final CallContext context;
  private final DryRuns trials;

  /** As each account alone, where no dry run is known. */
  private final Ec2Api instancesAlone;

  private final Ec2Api networkAlone;
  private final Report report;
  private Optional<Ec2Api> ec2 = Optional.empty();

  /** To the two accounts, which may be one. */
  record Doors(CloudCalls instances, CloudCalls network) {}

  Round(
      CheckupSettings settings,
      Ec2Clients clients,
      InstanceMetadata metadata,
      Doors doors,
      TimeSource time,
      String region,
      CallContext context) {
    this.settings = settings;
    this.clients = clients;
    this.metadata = metadata;
    this.calls = doors.instances();
    this.network = doors.network();
    this.context = context;
    this.trials = clients.dryRuns(time);
    this.instancesAlone = clients.ofInstances();
    this.networkAlone = clients.ofNetwork();
    this.report = new Report(settings, region);
  }

  CompletionStage<List<Finding>> run(List<NodeResource> nodes) {
    return endpoint()
        .thenCompose(nothing -> identity())
        .thenCompose(nothing -> networkIdentity())
        .thenCompose(nothing -> metadata())
        .thenCompose(nothing -> api())
        .thenCompose(nothing -> targets(nodes))
        .thenCompose(this::permissions)
        .thenCompose(nothing -> count(Optional.empty(), 0, 1))
        .thenCompose(nothing -> clusterName())
        .thenApply(
            named -> {
              List<Finding> all = new ArrayList<>(report.findings(trials.clockSkew()));
              all.add(named);
              return all;
            });
  }

  /** As the start finds it: by the settings, the instance's metadata, its tag in EC2. */
  private CompletionStage<Finding> clusterName() {
    return settings.cluster().isPresent()
        ? CompletableFuture.completedStage(
            ClusterNaming.finding(settings.cluster(), "cluster-name"))
        : calls
            .call(StartCalls.METADATA, context, attempt -> StartCalls.asked(metadata::clusterName))
            .thenCompose(
                result -> {
                  Optional<String> name = result.match(told -> told, failure -> Optional.empty());
                  return name.isPresent()
                      ? CompletableFuture.completedStage(
                          ClusterNaming.finding(name, "the instance's metadata"))
                      : clusterTag();
                });
  }

  private CompletionStage<Finding> clusterTag() {
    return calls
        .call(StartCalls.METADATA, context, attempt -> StartCalls.asked(metadata::instanceId))
        .thenCompose(
            result ->
                result.match(
                    id ->
                        real(
                            Ec2Operation.DESCRIBE_TAGS,
                            false,
                            api -> api.describeTag(new InstanceId(id), ClusterNaming.TAG)),
                    failure ->
                        CompletableFuture.completedStage(
                            Report.<Optional<String>>untried("no instance"))))
        .thenApply(
            result ->
                ClusterNaming.finding(
                    result.match(told -> told, failure -> Optional.empty()),
                    "the instance's tag " + ClusterNaming.TAG));
  }

  /** First, while nothing else has failed yet. */
  private CompletionStage<Void> endpoint() {
    return tried(Asked.ofInstances(Ec2Operation.DESCRIBE_INSTANCES), Targets.of(List.of()))
        .thenAccept(report::endpoint);
  }

  private CompletionStage<Void> identity() {
    return calls
        .call(StartCalls.IDENTITY, context, attempt -> clients.identity())
        .thenAccept(report::identity);
  }

  private CompletionStage<Void> networkIdentity() {
    return settings.roles().network().isEmpty()
        ? CompletableFuture.completedStage(null)
        : network
            .call(StartCalls.IDENTITY, context, attempt -> clients.networkIdentity())
            .thenAccept(report::networkIdentity);
  }

  private CompletionStage<Void> metadata() {
    return calls
        .call(StartCalls.METADATA, context, attempt -> StartCalls.asked(metadata::instanceId))
        .thenAccept(report::metadata);
  }

  /** For reads; where two accounts take part it asks for one of them. */
  private CompletionStage<Void> api() {
    if (clients.asksForAccount()) {
      return calls
          .call(StartCalls.IDENTITY, context, attempt -> clients.api())
          .thenAccept(result -> ec2 = result.match(Optional::of, failure -> Optional.empty()));
    }
    try {
      ec2 = Optional.of(clients.api());
    } catch (Ec2Failure unasked) {
      throw new IllegalStateException("failed without a request", unasked);
    }
    return CompletableFuture.completedStage(null);
  }

  /** A request that is no trial. */
  private <T> CompletionStage<CallResult<T>> real(
      Ec2Operation operation, boolean ofNetwork, Real<T> request) {
    return ec2.map(
            api ->
                door(ofNetwork)
                    .call(AwsCheckup.trial(operation), context, attempt -> request.send(api)))
        .orElseGet(
            () ->
                CompletableFuture.completedStage(
                    Report.untried("the account of the network cannot be entered")));
  }

  private CloudCalls door(boolean ofNetwork) {
    return ofNetwork ? network : calls;
  }

  /** What a request that is no trial asks. */
  @FunctionalInterface
  private interface Real<T> {
    T send(Ec2Api api) throws Ec2Failure;
  }

  // ---- what to try on

  private CompletionStage<Targets> targets(List<NodeResource> nodes) {
    return attached(Targets.of(nodes)).thenCompose(this::available).thenCompose(this::elastic);
  }

  private CompletionStage<Targets> attached(Targets targets) {
    return targets.instances().isEmpty()
        ? CompletableFuture.completedStage(targets)
        : interfaces(new InterfaceQuery.OfInstances(targets.instances()))
            .thenApply(targets::withAttached);
  }

  private CompletionStage<Targets> available(Targets targets) {
    return settings.cluster().isEmpty()
        ? CompletableFuture.completedStage(targets)
        : interfaces(new InterfaceQuery.Available(Map.of(CLUSTER_TAG, settings.cluster().get())))
            .thenApply(targets::withAvailable);
  }

  private CompletionStage<Targets> elastic(Targets targets) {
    Map<String, String> tags = targets.staticTags();
    return tags.isEmpty()
        ? CompletableFuture.completedStage(targets)
        : real(Ec2Operation.DESCRIBE_ADDRESSES, false, api -> api.describeAddresses(tags))
            .thenApply(
                result -> targets.withElastic(result.match(all -> all, failure -> List.of())));
  }

  /** The first page; nothing when it cannot be read, which the trials tell. */
  private CompletionStage<List<NetworkInterface>> interfaces(InterfaceQuery query) {
    return page(query, Optional.empty())
        .thenApply(result -> result.match(Page::items, failure -> List.<NetworkInterface>of()));
  }

  private CompletionStage<CallResult<Page<NetworkInterface>>> page(
      InterfaceQuery query, Optional<String> token) {
    return real(
        Ec2Operation.DESCRIBE_NETWORK_INTERFACES,
        !(query instanceof InterfaceQuery.OfInstances),
        api -> api.describeNetworkInterfaces(query, token));
  }

  // ---- permissions

  private CompletionStage<Void> permissions(Targets targets) {
    Set<Feature> features = new HashSet<>(settings.features());
    features.addAll(targets.uses());
    List<Asked> certain = Permissions.asked(features);
    features.addAll(targets.mayUse());
    List<Asked> needed = Permissions.asked(features);
    report.uncertain(needed.stream().filter(each -> !certain.contains(each)).toList());
    List<Asked> reads = needed.stream().filter(Round::isRead).toList();
    List<Asked> changes = needed.stream().filter(each -> !isRead(each)).toList();
    return tried(reads, targets)
        .thenCompose(
            read -> {
              report.tried(read);
              if (read.values().stream().anyMatch(Report::wasDone)) {
                report.untriable(changes);
                return CompletableFuture.completedStage(null);
              }
              return tried(changes, targets).thenAccept(report::tried);
            });
  }

  private static boolean isRead(Asked asked) {
    return asked.operation().kind().equals(AwsCheckup.trial(asked.operation()));
  }

  /** All of them at once, in order. */
  private CompletionStage<Map<Asked, CallResult<Boolean>>> tried(
      List<Asked> permissions, Targets targets) {
    CompletionStage<Map<Asked, CallResult<Boolean>>> all =
        CompletableFuture.completedStage(new LinkedHashMap<>());
    List<CompletionStage<CallResult<Boolean>>> sent = new ArrayList<>();
    permissions.forEach(asked -> sent.add(tried(asked, targets)));
    for (int i = 0; i < sent.size(); i++) {
      Asked asked = permissions.get(i);
      all =
          all.thenCombine(
              sent.get(i),
              (map, result) -> {
                map.put(asked, result);
                return map;
              });
    }
    return all;
  }

  private CompletionStage<CallResult<Boolean>> tried(Asked asked, Targets targets) {
    String account = report.account().map(Identity::accountId).orElse("");
    Trial trial = Trial.of(asked, targets, settings.subnetIds(), tags(), account);
    Trial.Request request = trial.request();
    if (request == null) {
      return CompletableFuture.completedStage(Report.untried(trial.lacking()));
    }
    if (!trial.dry()) {
      return sent(asked, request, asked.isOfNetwork() ? networkAlone : instancesAlone);
    }
    return sent(asked, request, asked.isOfNetwork() ? trials.network() : trials.instances());
  }

  private CompletionStage<CallResult<Boolean>> sent(Asked asked, Trial.Request request, Ec2Api as) {
    return door(asked.isOfNetwork())
        .call(
            AwsCheckup.trial(asked.operation()),
            context,
            attempt -> {
              request.send(as);
              return true;
            });
  }

  private Map<String, String> tags() {
    Map<String, String> all = new LinkedHashMap<>(settings.tags());
    all.put(CLUSTER_TAG, settings.cluster().orElse(""));
    return all;
  }

  // ---- quota

  private CompletionStage<Void> count(Optional<String> token, int before, int pages) {
    return page(new InterfaceQuery.Everywhere(), token)
        .thenCompose(
            result ->
                result.match(
                    page -> {
                      int now = before + page.items().size();
                      if (page.next().isPresent() && pages < PAGES_MAX) {
                        return count(page.next(), now, pages + 1);
                      }
                      report.interfaces(now, page.next().isEmpty());
                      return CompletableFuture.<Void>completedStage(null);
                    },
                    failure -> {
                      report.interfacesUnread(failure);
                      return CompletableFuture.<Void>completedStage(null);
                    }));
  }
}
