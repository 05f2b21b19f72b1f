package io.tidemark.provider.azure.doctor;

import io.tidemark.provider.azure.identity.AccessTokens;
import io.tidemark.provider.azure.identity.AzureCloud;
import io.tidemark.provider.azure.identity.CredentialChoice;
import io.tidemark.provider.azure.network.ArmApi;
import io.tidemark.provider.azure.network.ArmCallLimits;
import io.tidemark.provider.azure.network.ArmCondition;
import io.tidemark.provider.azure.network.ArmList;
import io.tidemark.provider.azure.network.ArmOperation;
import io.tidemark.provider.azure.network.ArmRead;
import io.tidemark.provider.azure.network.AzurePage;
import io.tidemark.provider.azure.network.InterfaceLinksJson;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.provider.kit.Together;
import io.tidemark.provider.kit.doctor.Findings;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Checkup;
import io.tidemark.spi.Finding;
import io.tidemark.time.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.DoubleFunction;
import java.util.function.Supplier;

/**
 * The checks of {@code doctor} on Azure (Z50). Authority and endpoint are asked side by side; if
 * both answer, then what the interfaces of the nodes name; then what our roles grant on that, and
 * how full the subnets are. Each step ends by its part of the time with whatever came of it. Every
 * request is a read. Used once; thread-safe.
 *
 * @param credential that tokens are asked with
 * @param subnetReserve addresses that every subnet keeps free ({@code azure-subnet-reserve})
 * @param cloud finds the cloud; asked once, never ends exceptionally
 * @param api called inside of requests, after the cloud was found; its requests carry {@code
 *     tokens}
 * @param calls made of {@link #policy}
 * @param closing closes what was opened; may run more than once
 */
public record AzureCheckup(
    CredentialChoice credential,
    int subnetReserve,
    Supplier<CompletionStage<CallResult<AzureCloud>>> cloud,
    Supplier<ArmApi> api,
    AccessTokens tokens,
    CloudCalls calls,
    TimeSource time,
    Runnable closing)
    implements Checkup {
  /** Parts of the time at which steps end; the last one is for the report. */
  private static final double ANSWERS = 0.6;

  private static final double LISTS = 0.8;
  private static final double ALL = 0.97;

  private static final String PERMISSION = AzurePermissionFindingsJson.PERMISSION;

  private static final Failure NO_MACHINE =
      Failure.of(
          Failure.Kind.NOT_FOUND,
          "noMachine",
          "no node names a machine of Azure, so it is not known where which actions are needed");

  /** {@link ArmCallLimits} with room for one request for permissions per resource. */
  public static CallPolicy policy(String account, double share) {
    CallPolicy usual = ArmCallLimits.of(account, share);
    Map<CallKind, CallLimits> limits = new HashMap<>(usual.limits());
    limits.computeIfPresent(
        ArmOperation.PERMISSIONS.kind(),
        (kind, old) -> new CallLimits(5 * share, 20, old.attemptTimeout(), old.attempts()));
    return new CallPolicy(usual.account(), limits, usual.shared(), usual.classifier());
  }

  @Override
  public CompletionStage<List<Finding>> run(List<NodeResource> nodes, CallContext context) {
    long began = time.nanos();
    long all = Math.max(0, context.deadlineNanos() - began);
    DoubleFunction<CallContext> parts = part -> context.until(began + (long) (all * part));
    return CallResult.after(
        cloud.get(),
        known -> run(known, new AzureTargets(nodes), parts),
        failure ->
            CompletableFuture.completedStage(
                List.of(Findings.failed("cloud", "its name", failure, "Set azure-cloud."))));
  }

  private CompletionStage<List<Finding>> run(
      AzureCloud known, AzureTargets targets, DoubleFunction<CallContext> parts) {
    CallContext answers = parts.apply(ANSWERS);
    return tokens
        .current(answers)
        .thenCombine(
            calls.call(ArmOperation.ENDPOINT.kind(), answers, attempt -> api.get().endpoint()),
            (token, endpoint) -> new ConnectionFindings(credential, known, token, endpoint))
        .thenCompose(
            connection ->
                connection
                    .closed()
                    .or(() -> Optional.of(NO_MACHINE).filter(no -> targets.machines.isEmpty()))
                    .map(
                        closed -> {
                          List<Finding> all = connection.all(Optional.empty());
                          all.add(Findings.undecided(PERMISSION, "actions on nodes", closed));
                          return CompletableFuture.completedStage(all);
                        })
                    .orElseGet(() -> asked(targets, connection, parts)));
  }

  private CompletionStage<List<Finding>> asked(
      AzureTargets targets, ConnectionFindings connection, DoubleFunction<CallContext> parts) {
    return Together.each(
            targets.lists(), machine -> list(ArmList.links(machine), parts.apply(LISTS)))
        .thenCompose(
            lists -> {
              return named(targets, linked(targets, lists.values()), parts.apply(LISTS));
            })
        .thenCompose(
            unlisted ->
                permissions(targets, unlisted, connection, parts.apply(ALL))
                    .thenCombine(
                        quota(targets, parts.apply(ALL)),
                        (findings, more) -> {
                          findings.addAll(more);
                          return findings;
                        }));
  }

  /**
   * Reads by name what no list shows.
   *
   * @return the failures, with those of before
   */
  private CompletionStage<List<Failure>> named(
      AzureTargets targets, List<Failure> failures, CallContext context) {
    return Together.each(
            targets.unlisted(), machine -> read(ArmRead.interfacesOfMachine(machine), context))
        .thenCompose(
            machines -> {
              machines.forEach(
                  (machine, found) ->
                      found.answer().ifPresent(ids -> targets.addInterfaces(machine, ids)));
              failures.addAll(failures(machines.values()));
              Set<ResourceId> interfaces = new TreeSet<>();
              machines.values().forEach(found -> found.answer().ifPresent(interfaces::addAll));
              return Together.each(
                  interfaces,
                  id -> read(ArmRead.links(id), context).thenApply(result -> result.map(List::of)));
            })
        .thenApply(
            read -> {
              failures.addAll(linked(targets, read.values()));
              return failures;
            });
  }

  /** Takes in what the interfaces name; returns the failures. */
  private static List<Failure> linked(
      AzureTargets targets, Collection<CallResult<List<InterfaceLinksJson>>> read) {
    read.forEach(each -> each.answer().ifPresent(targets::addLinked));
    return failures(read);
  }

  private CompletionStage<List<Finding>> permissions(
      AzureTargets targets,
      List<Failure> unlisted,
      ConnectionFindings connection,
      CallContext context) {
    Map<String, NavigableSet<String>> required = RequiredActions.of(targets);
    Set<String> scopes = new TreeSet<>();
    required.values().forEach(scopes::addAll);
    return Together.each(scopes, scope -> list(ArmList.permissions(scope), context))
        .thenApply(
            grants -> {
              List<Failure> failures = failures(grants.values());
              failures.addAll(unlisted);
              List<Finding> all = connection.all(refusedToken(failures));
              unlisted.stream()
                  .findFirst()
                  .map(each -> Findings.undecided(PERMISSION, "actions on linked resources", each))
                  .ifPresent(all::add);
              all.addAll(new AzurePermissionFindingsJson(required, grants).all());
              return all;
            });
  }

  private CompletionStage<List<Finding>> quota(AzureTargets targets, CallContext context) {
    return Together.each(targets.subnets(), id -> read(ArmRead.subnet(id), context))
        .thenCombine(
            Together.each(targets.networks(), id -> list(ArmList.usages(id), context)),
            (subnets, usages) -> new QuotaFindings(subnets, usages, subnetReserve).of(targets));
  }

  private <T> CompletionStage<CallResult<T>> read(ArmRead<T> what, CallContext context) {
    return calls.call(what.operation().kind(), context, attempt -> api.get().read(what));
  }

  private <T> CompletionStage<CallResult<List<T>>> list(ArmList<T> what, CallContext context) {
    return AzurePage.all(
        next ->
            calls.call(what.operation().kind(), context, attempt -> api.get().page(what, next)));
  }

  private static List<Failure> failures(Collection<? extends CallResult<?>> results) {
    List<Failure> failures = new ArrayList<>();
    results.forEach(each -> each.refusal().ifPresent(failures::add));
    return failures;
  }

  private static Optional<Failure> refusedToken(List<Failure> failures) {
    return failures.stream()
        .filter(each -> each.condition().equals(ArmCondition.NO_CREDENTIALS))
        .findFirst();
  }

  @Override
  public void close() {
    closing.run();
  }
}
