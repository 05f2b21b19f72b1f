package io.tidemark.emulator.ec2.sts;

import io.tidemark.emulator.ec2.model.Caller;
import io.tidemark.emulator.ec2.model.Ec2Model;
import io.tidemark.emulator.ec2.model.Reply;
import io.tidemark.emulator.ec2.model.Sessions;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.QueryForm;
import io.tidemark.emulator.ec2.protocol.StsXml;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Answers requests to AWS Security Token Service (its API Reference, version 2011-06-15).
 * Stateless: what it gives out is kept in the model's {@link Sessions}.
 */
public final class Sts {
  /** The parameters of every action by name. */
  public static final Map<String, Set<String>> ACTIONS =
      Map.of(
          "AssumeRole",
          AssumeRole.PARAMETERS,
          "AssumeRoleWithWebIdentity",
          AssumeRole.WEB_PARAMETERS,
          "GetCallerIdentity",
          Set.of());

  private Sts() {}

  /**
   * The response to this request.
   *
   * @param caller who signed it; empty when nobody did
   */
  public static Reply apply(Ec2Model world, Optional<Caller> caller, QueryForm form, Instant now) {
    String action = form.value("Action");
    Supplier<Answer> service =
        () -> {
          if (!form.value("Version").equals(StsXml.VERSION)) {
            throw StsErrors.otherVersion(form.value("Version"));
          }
          return answer(world, caller, action, form, now);
        };
    String counted = ACTIONS.containsKey(action) ? action : "(unknown)";
    return world.applyBeside(counted, StsErrors.THROTTLED, now, service);
  }

  private static Answer answer(
      Ec2Model world, Optional<Caller> caller, String action, QueryForm form, Instant now) {
    return switch (action) {
      case "AssumeRoleWithWebIdentity" -> AssumeRole.byToken(world, form, now);
      case "AssumeRole" -> AssumeRole.byCaller(world, signed(caller), form, now);
      case "GetCallerIdentity" -> identity(signed(caller), form);
      default -> throw StsErrors.unknownAction(action, StsXml.VERSION);
    };
  }

  private static Caller signed(Optional<Caller> caller) {
    return caller.orElseThrow(() -> new Ec2Refusal(StsErrors.UNSIGNED));
  }

  /** Needs no permission, so that no denial applies ("GetCallerIdentity", API Reference). */
  private static Answer identity(Caller caller, QueryForm form) {
    new StsParameters(form, Set.of()).check();
    String userId =
        RoleArn.ofSession(caller.principal())
            .map(RoleArn.Session::id)
            .orElseGet(() -> RoleArn.idOf("AIDA", caller.principal()));
    return Answer.of("Arn", arn(caller)).put("UserId", userId).put("Account", caller.account());
  }

  /** The session's ARN, or that of the user that an access key id stands for. */
  static String arn(Caller caller) {
    return caller.principal().startsWith("arn:")
        ? caller.principal()
        : "arn:aws:iam::" + caller.account() + ":user/" + caller.principal();
  }
}
