package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.AwsEndpointAnswer;
import io.tidemark.provider.aws.ec2.DryRuns;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Clients;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.start.StartupRequests;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Requests to the two accounts, which may be one: dry runs, and reads in earnest. Thread-safe. */
final class Accounts {
  private final Ec2Clients clients;
  private final CloudCalls instances;
  private final CloudCalls network;
  private final DryRuns probes;

  /** As each account alone, where no dry run is known. */
  private final Ec2Api instancesAlone;

  private final Ec2Api networkAlone;

  Accounts(Ec2Clients clients, CloudCalls instances, CloudCalls network, TimeSource time) {
    this.clients = clients;
    this.instances = instances;
    this.network = network;
    this.probes = clients.dryRuns(time);
    this.instancesAlone = clients.ofInstances();
    this.networkAlone = clients.ofNetwork();
  }

  /** As what the probe of a request passes the door. */
  static CallKind probeKind(CallKind kind) {
    return new CallKind(kind.name(), CallKind.Effect.READ);
  }

  static CallKind probeKind(Ec2Operation operation) {
    return probeKind(operation.kind());
  }

  /** A request that is no probe. */
  @FunctionalInterface
  interface Real<T> {
    T send(Ec2Api api) throws Ec2Failure;
  }

  CloudCalls door(boolean ofNetwork) {
    return ofNetwork ? network : instances;
  }

  /** How far EC2's clock is ahead; empty while nothing answered. */
  Optional<Duration> clockSkew() {
    return probes.clockSkew();
  }

  CompletionStage<CallResult<AwsEndpointAnswer>> endpoint(
      PermissionProbe.Request request, CallContext context) {
    return instances.call(
        probeKind(Ec2Operation.DESCRIBE_INSTANCES),
        context,
        attempt -> {
          try {
            request.send(probes.instances());
            return AwsEndpointAnswer.DONE;
          } catch (Ec2Failure failure) {
            return AwsEndpointAnswer.of(failure).orElseThrow(() -> failure);
          }
        });
  }

  CompletionStage<CallResult<Ec2Clients.Identity>> identity(CallContext context) {
    return instances.call(StartupRequests.IDENTITY, context, attempt -> clients.identity());
  }

  CompletionStage<CallResult<Ec2Clients.Identity>> networkIdentity(CallContext context) {
    return network.call(StartupRequests.IDENTITY, context, attempt -> clients.networkIdentity());
  }

  /** For reads in earnest; where two accounts take part STS is asked for one of them. */
  CompletionStage<CallResult<Ec2Api>> reads(CallContext context) {
    if (clients.asksForAccount()) {
      return instances.call(StartupRequests.IDENTITY, context, attempt -> clients.api());
    }
    try {
      return CompletableFuture.completedStage(new CallResult.Answered<>(clients.api()));
    } catch (Ec2Failure unasked) {
      throw new IllegalStateException("failed without a request", unasked);
    }
  }

  /** A read in earnest by {@link #reads}, or its failure. */
  <T> CompletionStage<CallResult<T>> read(
      CallResult<Ec2Api> by,
      Ec2Operation operation,
      boolean ofNetwork,
      CallContext context,
      Real<T> request) {
    return by.then(
        api -> door(ofNetwork).call(probeKind(operation), context, attempt -> request.send(api)));
  }

  /** The probe of a permission; answered when it was done in earnest. */
  CompletionStage<CallResult<Boolean>> probe(
      Asked asked, PermissionProbe probe, CallContext context) {
    PermissionProbe.Request request = probe.request();
    if (request == null) {
      return CompletableFuture.completedStage(FailureWords.untried(probe.lacking()));
    }
    boolean ofNetwork = asked.isOfNetwork();
    Ec2Api dry = ofNetwork ? probes.network() : probes.instances();
    Ec2Api alone = ofNetwork ? networkAlone : instancesAlone;
    return door(ofNetwork)
        .call(
            probeKind(asked.operation()),
            context,
            attempt -> {
              request.send(probe.dry() ? dry : alone);
              return true;
            });
  }
}
