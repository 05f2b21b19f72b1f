package io.tidemark.emulator.ec2.http;

import io.tidemark.emulator.ec2.model.Caller;
import io.tidemark.emulator.ec2.model.Ec2Model;
import io.tidemark.emulator.ec2.model.Sessions;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.QueryForm;
import io.tidemark.emulator.ec2.sts.StsErrors;
import java.time.Instant;
import java.util.Optional;

/** Finds who signed a request, and refuses as the service does that it is for. */
final class Signer {
  private static final Ec2Error UNSIGNED =
      new Ec2Error("MissingAuthenticationToken", "Request is missing Authentication Token", 403);
  private static final Ec2Error WRONG =
      new Ec2Error(
          "AuthFailure", "AWS was not able to validate the provided access credentials", 401);
  private static final Ec2Error WRONG_SERVICE =
      new Ec2Error(
          "SignatureDoesNotMatch", "Credential should be scoped to correct service: 'ec2'.", 403);
  private static final Ec2Error EXPIRED = Ec2Error.of("RequestExpired", "Request has expired.");

  private Signer() {}

  /**
   * Looks for a scope at all, and for its service.
   *
   * @throws Ec2Refusal when there is none that can be read, or it is another service's
   */
  static void requireEc2(Exchange exchange, Optional<Credential> credential, QueryForm form) {
    if (credential.isEmpty()) {
      throw new Ec2Refusal(Credential.isSigned(exchange, form) ? WRONG : UNSIGNED);
    }
    if (!credential.get().service().equals("ec2")) {
      throw new Ec2Refusal(WRONG_SERVICE);
    }
  }

  /**
   * The caller of an EC2 action.
   *
   * @throws Ec2Refusal when its temporary credentials are none of the emulator's, or expired
   */
  static Caller ofEc2(Ec2Model world, Credential credential, Instant now) {
    return caller(world, credential, WRONG, EXPIRED, now);
  }

  /**
   * The caller of an STS action; empty when nobody signed it.
   *
   * @throws Ec2Refusal as for EC2, and when it was signed for another service
   */
  static Optional<Caller> ofSts(
      Ec2Model world, Optional<Credential> credential, boolean signed, Instant now) {
    if (credential.isEmpty()) {
      if (signed) {
        throw new Ec2Refusal(StsErrors.WRONG_TOKEN);
      }
      return Optional.empty();
    }
    if (!credential.get().service().equals("sts")) {
      throw new Ec2Refusal(StsErrors.WRONG_SERVICE);
    }
    return Optional.of(
        caller(world, credential.get(), StsErrors.WRONG_TOKEN, StsErrors.EXPIRED_TOKEN, now));
  }

  private static Caller caller(
      Ec2Model world, Credential credential, Ec2Error wrong, Ec2Error expired, Instant now) {
    Sessions.Standing standing =
        world.sessions().standing(credential.accessKeyId(), credential.token(), now);
    return switch (standing) {
      case GOOD -> world.sessions().caller(credential.accessKeyId(), credential.region());
      case WRONG -> throw new Ec2Refusal(wrong);
      case EXPIRED -> throw new Ec2Refusal(expired);
    };
  }
}
