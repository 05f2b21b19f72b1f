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
  private final Ec2Api ofInstances;
  private final Ec2Api ofNetworkAccount;

  Accounts(Ec2Clients clients, CloudCalls instances, CloudCalls network, TimeSource time) {
    this.clients = clients;
    this.instances = instances;
    this.network = network;
    this.probes = clients.dryRuns(time);
    this.ofInstances = clients.as(true);
    this.ofNetworkAccount = clients.as(false);
  }

  /** As what the probe of a request passes the door. */
  static CallKind probeKind(CallKind kind) {
    return new CallKind(kind.name(), CallKind.Effect.READ);
  }

  CloudCalls door(boolean ofNetwork) {
    return ofNetwork ? network : instances;
  }

  private Ec2Api inEarnest(boolean ofNetwork) {
    return ofNetwork ? ofNetworkAccount : ofInstances;
  }

  /** How far EC2's clock is ahead; empty while nothing answered. */
  Optional<Duration> clockSkew() {
    return probes.clockSkew().get();
  }

  CompletionStage<CallResult<AwsEndpointAnswer>> endpoint(
      Ec2Api.Command request, CallContext context) {
    return instances.call(
        probeKind(Ec2Operation.DESCRIBE_INSTANCES.kind()),
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

  CompletionStage<CallResult<Ec2Clients.Identity>> identity(
      boolean ofNetwork, CallContext context) {
    return door(ofNetwork)
        .call(StartupRequests.IDENTITY, context, attempt -> clients.identity(!ofNetwork));
  }

  /** A read in earnest. */
  <T> CompletionStage<CallResult<T>> read(
      Ec2Operation operation, boolean ofNetwork, CallContext context, Ec2Api.Request<T> request) {
    return door(ofNetwork)
        .call(probeKind(operation.kind()), context, attempt -> request.send(inEarnest(ofNetwork)));
  }

  /** The probe of a permission; answered when it was done in earnest. */
  CompletionStage<CallResult<Boolean>> probe(
      Asked asked, PermissionProbe probe, CallContext context) {
    Ec2Api.Command request = probe.request();
    if (request == null) {
      return CompletableFuture.completedStage(FailureWords.untried(probe.lacking()));
    }
    Ec2Api dry = asked.ofNetwork() ? probes.network() : probes.instances();
    return door(asked.ofNetwork())
        .call(
            probeKind(asked.operation().kind()),
            context,
            attempt -> {
              request.send(probe.dry() ? dry : inEarnest(asked.ofNetwork()));
              return true;
            });
  }
}
