package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.pace.RequestBuckets;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.QueryForm;
import io.tidemark.emulator.kit.pace.Delivery;
import io.tidemark.emulator.kit.pace.Faults;
import java.time.Instant;
import java.util.SplittableRandom;

/** The obstacles between a request and its action: buckets, planned faults, denials. */
final class Hindrances {
  private static final Ec2Error THROTTLED =
      new Ec2Error("RequestLimitExceeded", "Request limit exceeded.", 503);

  private final Ec2ModelOptions options;
  private final Faults<Ec2FaultRule> faults;
  private final Denials denials = new Denials();
  private final RequestBuckets buckets;

  Hindrances(Ec2ModelOptions options, SplittableRandom random) {
    this.options = options;
    this.faults = new Faults<>(random);
    this.buckets = new RequestBuckets(options.buckets(), options.neighboursShare());
  }

  Faults<Ec2FaultRule> faults() {
    return faults;
  }

  Denials denials() {
    return denials;
  }

  RequestBuckets buckets() {
    return buckets;
  }

  /**
   * Takes the token that a request costs; a request with no bound on its answer has its own bucket.
   */
  void requireToken(Caller caller, QueryForm form, Action action, Instant now) {
    if (!options.throttling()) {
      return;
    }
    boolean bounded =
        form.parameters().keySet().stream()
            .anyMatch(
                key ->
                    key.startsWith("Filter.")
                        || key.equals("MaxResults")
                        || key.equals("NextToken")
                        || key.contains("Id."));
    if (!buckets.takeRequest(caller.account(), caller.region(), action.name(), bounded, now)) {
      throw new Ec2Refusal(THROTTLED);
    }
  }

  /** Takes the tokens of what the request makes. */
  void requireResources(Caller caller, Action action, Parameters parameters, Instant now) {
    int resources = action.resources(parameters);
    if (options.throttling()
        && resources > 0
        && !buckets.takeResources(
            caller.account(), caller.region(), action.name(), resources, now)) {
      throw new Ec2Refusal(THROTTLED);
    }
  }

  void requirePermission(Caller caller, Action action) {
    if (denials.isDenied(caller, action.name())) {
      throw new Ec2Refusal(Denials.unauthorized(caller, "ec2:" + action.name()));
    }
  }

  /** The part of a fault that comes before the action. */
  static void failBefore(Ec2FaultRule rule) {
    switch (rule.kind()) {
      case FAIL, LOSE_REQUEST -> throw new Ec2Refusal(rule.error());
      case THROTTLE -> throw new Ec2Refusal(THROTTLED);
      case LOSE_ANSWER, HANG, PARTIAL -> {}
    }
  }

  /** The fate of the response. */
  static Delivery delivery(Ec2FaultRule rule) {
    return switch (rule.kind()) {
      case LOSE_ANSWER, LOSE_REQUEST -> Delivery.LOST;
      case HANG -> Delivery.NEVER;
      case FAIL, THROTTLE, PARTIAL -> Delivery.SENT;
    };
  }
}
