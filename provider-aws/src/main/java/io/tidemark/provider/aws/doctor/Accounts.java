package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.DryRuns;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Clients;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.EndpointAnswer;
import io.tidemark.provider.aws.start.StartCalls;
import io.tidemark.resilience.CallContext;
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
  private final DryRuns trials;

  /** As each account alone, where no dry run is known. */
  private final Ec2Api instancesAlone;

  private final Ec2Api networkAlone;

  Accounts(Ec2Clients clients, CloudCalls instances, CloudCalls network, TimeSource time) {
    this.clients = clients;
    this.instances = instances;
    this.network = network;
    this.trials = clients.dryRuns(time);
    this.instancesAlone = clients.ofInstances();
    this.networkAlone = clients.ofNetwork();
  }

  /** What a request that is no trial asks. */
  @FunctionalInterface
  interface Real<T> {
    T send(Ec2Api api) throws Ec2Failure;
  }

  CloudCalls door(boolean ofNetwork) {
    return ofNetwork ? network : instances;
  }

  /** How far EC2's clock is ahead; empty while nothing answered. */
  Optional<Duration> clockSkew() {
    return trials.clockSkew();
  }

  /** Who answers at EC2's endpoint; fails when nobody does. */
  CompletionStage<CallResult<EndpointAnswer>> endpoint(Trial.Request request, CallContext context) {
    return instances.call(
        AwsCheckup.trial(Ec2Operation.DESCRIBE_INSTANCES),
        context,
        attempt -> {
          try {
            request.send(trials.instances());
            return EndpointAnswer.DONE;
          } catch (Ec2Failure failure) {
            return EndpointAnswer.of(failure).orElseThrow(() -> failure);
          }
        });
  }

  CompletionStage<CallResult<Ec2Clients.Identity>> identity(CallContext context) {
    return instances.call(StartCalls.IDENTITY, context, attempt -> clients.identity());
  }

  CompletionStage<CallResult<Ec2Clients.Identity>> networkIdentity(CallContext context) {
    return network.call(StartCalls.IDENTITY, context, attempt -> clients.networkIdentity());
  }

  /** For reads in earnest; where two accounts take part STS is asked for one of them. */
  CompletionStage<CallResult<Ec2Api>> reads(CallContext context) {
    if (clients.asksForAccount()) {
      return instances.call(StartCalls.IDENTITY, context, attempt -> clients.api());
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
    return by.match(
        api ->
            door(ofNetwork)
                .call(AwsCheckup.trial(operation), context, attempt -> request.send(api)),
        failure -> CompletableFuture.completedStage(new CallResult.Failed<>(failure)));
  }

  /** The trial of a permission; answered when it was done in earnest. */
  CompletionStage<CallResult<Boolean>> trial(Asked asked, Trial trial, CallContext context) {
    Trial.Request request = trial.request();
    if (request == null) {
      return CompletableFuture.completedStage(Report.untried(trial.lacking()));
    }
    boolean ofNetwork = asked.isOfNetwork();
    Ec2Api dry = ofNetwork ? trials.network() : trials.instances();
    Ec2Api alone = ofNetwork ? networkAlone : instancesAlone;
    return door(ofNetwork)
        .call(
            AwsCheckup.trial(asked.operation()),
            context,
            attempt -> {
              request.send(trial.dry() ? dry : alone);
              return true;
            });
  }
}
