package io.tidemark.emulator.ec2.sts;

import io.tidemark.emulator.ec2.model.Caller;
import io.tidemark.emulator.ec2.model.Ec2Model;
import io.tidemark.emulator.ec2.model.Sessions;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.QueryForm;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Gives out credentials for a role. Every role exists, trusts everybody and allows the longest
 * session; policies and tags of a session are taken without effect.
 */
final class AssumeRole {
  static final Set<String> PARAMETERS =
      Set.of(
          ("DurationSeconds ExternalId MinimumSessionTokenSize Policy PolicyArns ProvidedContexts"
                  + " RoleArn RoleSessionName SerialNumber SourceIdentity Tags TokenCode"
                  + " TransitiveTagKeys")
              .split(" "));
  static final Set<String> WEB_PARAMETERS =
      Set.of(
          ("DurationSeconds MinimumSessionTokenSize Policy PolicyArns ProviderId RoleArn"
                  + " RoleSessionName WebIdentityToken")
              .split(" "));

  private static final Pattern NAME = Pattern.compile("[\\w+=,.@-]*");
  private static final Pattern EXTERNAL_ID = Pattern.compile("[\\w+=,.@:\\/-]*");

  /** The form of an ARN in the API Reference, less the characters beyond it. */
  private static final Pattern ARN =
      Pattern.compile(
          "[\\u0009\\u000A\\u000D\\u0020-\\u007E\\u0085\\u00A0-\\uD7FF\\uE000-\\uFFFD]+");

  private static final Pattern ANY = Pattern.compile("[\\s\\S]*");

  private static final int SECONDS_LEAST = 900;
  private static final int SECONDS_USUAL = 3600;
  private static final int SECONDS_MOST = 43_200;

  private AssumeRole() {}

  private record Wanted(RoleArn role, String text, String session, Duration lifetime) {}

  /** The action AssumeRole. */
  static Answer byCaller(Ec2Model world, Caller caller, QueryForm form, Instant now) {
    StsParameters parameters = new StsParameters(form, PARAMETERS);
    parameters.optional("ExternalId", 2, 1224, EXTERNAL_ID);
    Optional<String> source = parameters.optional("SourceIdentity", 2, 64, NAME);
    Wanted wanted = wanted(parameters);
    boolean chained = RoleArn.ofSession(caller.principal()).isPresent();
    if (chained && wanted.lifetime().toSeconds() > SECONDS_USUAL) {
      throw StsErrors.validation(
          "The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role"
              + " chaining");
    }
    if (world.denials().isDenied(caller, "AssumeRole")) {
      throw StsErrors.denied(Sts.arn(caller), "AssumeRole", wanted.text());
    }
    return credentials(world, wanted, now).put("SourceIdentity", source);
  }

  /** The action AssumeRoleWithWebIdentity, which nobody signs. */
  static Answer byToken(Ec2Model world, QueryForm form, Instant now) {
    StsParameters parameters = new StsParameters(form, WEB_PARAMETERS);
    String text = parameters.needed("WebIdentityToken", 4, 20_000, ANY);
    Wanted wanted = wanted(parameters);
    WebIdentityTokenJson token = WebIdentityTokenJson.read(text, now);
    Caller caller = new Caller(wanted.role().account(), "", token.subject());
    if (world.denials().isDenied(caller, "AssumeRoleWithWebIdentity")) {
      throw StsErrors.denied(token.subject(), "AssumeRoleWithWebIdentity", wanted.text());
    }
    return credentials(world, wanted, now)
        .put("SubjectFromWebIdentityToken", token.subject())
        .put("Audience", token.audience())
        .put("Provider", token.issuer());
  }

  private static Wanted wanted(StsParameters parameters) {
    String arn = parameters.needed("RoleArn", 20, 2048, ARN);
    String session = parameters.needed("RoleSessionName", 2, 64, NAME);
    int seconds = parameters.number("DurationSeconds", SECONDS_USUAL, SECONDS_LEAST, SECONDS_MOST);
    parameters.check();
    return new Wanted(RoleArn.parse(arn), arn, session, Duration.ofSeconds(seconds));
  }

  private static Answer credentials(Ec2Model world, Wanted wanted, Instant now) {
    RoleArn.Session named = new RoleArn.Session(wanted.role(), wanted.session());
    Sessions.Session session =
        world
            .sessions()
            .issue(wanted.role().account(), named.arn(), named.id(), wanted.lifetime(), now);
    return Answer.of(
            "Credentials",
            Answer.of("AccessKeyId", session.accessKeyId())
                .put("SecretAccessKey", session.secretAccessKey())
                .put("SessionToken", session.token())
                .put("Expiration", session.expiration().toString()))
        .put(
            "AssumedRoleUser",
            Answer.of("AssumedRoleId", session.userId()).put("Arn", session.arn()));
  }
}
