package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.kit.pace.Delivery;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/**
 * The reply to a request.
 *
 * @param result the answer or the refusal
 * @param latency from the request to the answer
 * @param visibleAt when readers see its changes
 * @param delivery the fate of the response
 */
public record Reply(
    String requestId, Result result, Duration latency, Instant visibleAt, Delivery delivery) {
  /** An answer or a refusal. */
  public sealed interface Result {
    /** Calls the function of the case. */
    default <R> R match(Function<Answer, R> answered, Function<Ec2Error, R> refused) {
      if (this instanceof Answered a) {
        return answered.apply(a.answer());
      }
      return refused.apply(((Refused) this).error());
    }
  }

  /** It was done. */
  public record Answered(Answer answer) implements Result {}

  /** Nothing was done. */
  public record Refused(Ec2Error error) implements Result {}
}
