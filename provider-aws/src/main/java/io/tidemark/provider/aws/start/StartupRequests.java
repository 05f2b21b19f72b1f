package io.tidemark.provider.aws.start;

import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Failure.Ending;
import io.tidemark.provider.kit.start.MetadataUnavailable;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.CallPolicy;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.CloudCalls;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Requests of the start that do not go to EC2, with their limits. */
public final class StartupRequests {
  /** To the metadata service of the instance that we run on. */
  public static final CallKind METADATA = new CallKind("InstanceMetadata", CallKind.Effect.READ);

  /** To STS. */
  public static final CallKind IDENTITY = new CallKind("GetCallerIdentity", CallKind.Effect.READ);

  /** Longer than the two seconds that the client gives the service (M19). */
  private static final CallLimits METADATA_LIMITS =
      new CallLimits(10, 10, Duration.ofSeconds(5), 1);

  private static final CallLimits IDENTITY_LIMITS =
      new CallLimits(10, 10, Ec2CallLimits.ATTEMPT_TIMEOUT, 3);

  private StartupRequests() {}

  /** A question to the metadata service. */
  @FunctionalInterface
  public interface Question<T> {
    /** Blocks for two seconds at most. */
    T ask() throws MetadataUnavailable;
  }

  /** Asks the metadata service. */
  public static <T> CompletionStage<CallResult<T>> ask(
      CloudCalls calls, CallContext context, Question<T> question) {
    return calls.call(METADATA, context, attempt -> asked(question));
  }

  /** Asks, as a leaf; nothing is lost by asking again, so a failure counts as not sent. */
  static <T> T asked(Question<T> question) throws Ec2Failure {
    try {
      return question.ask();
    } catch (MetadataUnavailable unavailable) {
      throw Ec2Failure.unanswered(
          Ending.NOT_SENT, String.valueOf(unavailable.getMessage()), unavailable);
    }
  }

  /** A policy of EC2 with these requests too. */
  public static CallPolicy with(CallPolicy ec2) {
    Map<CallKind, CallLimits> limits = new HashMap<>(ec2.limits());
    limits.put(METADATA, METADATA_LIMITS);
    limits.put(IDENTITY, IDENTITY_LIMITS);
    return new CallPolicy(ec2.account(), limits, ec2.classifier());
  }
}
