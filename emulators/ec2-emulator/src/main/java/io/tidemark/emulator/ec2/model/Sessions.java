package io.tidemark.emulator.ec2.model;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The temporary credentials that were given out, by their access key ids ("Temporary security
 * credentials in IAM", IAM User Guide). Not thread-safe.
 */
public final class Sessions {
  /** Begins the access key ids of temporary credentials ("IAM identifiers", IAM User Guide). */
  public static final String KEY_PREFIX = "ASIA";

  /** The account of access key ids that are no account numbers. */
  static final String DEFAULT_ACCOUNT = "000000000000";

  /** The oldest are forgotten when there are more. */
  private static final int KEPT_MAX = 10_000;

  private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final String BASE64 =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  private final Map<String, Session> byKey = new LinkedHashMap<>();
  private final SplittableRandom random;

  Sessions(SplittableRandom random) {
    this.random = random;
  }

  /**
   * One set of temporary credentials.
   *
   * @param token to be sent with every request that they sign
   * @param arn the assumed role's, {@code arn:aws:sts::...:assumed-role/role/session}
   * @param userId the role's id, a colon and the session's name
   * @param expiration from when on they are refused, in whole seconds
   */
  public record Session(
      String accessKeyId,
      String secretAccessKey,
      String token,
      String account,
      String arn,
      String userId,
      Instant expiration) {}

  /** The validity of an access key id and its token. */
  public enum Standing {
    GOOD,
    /** Temporary and not given out, or with another token. */
    WRONG,
    EXPIRED
  }

  /** Gives out credentials for a role's session. */
  public Session issue(String account, String arn, String userId, Duration lifetime, Instant now) {
    Session session =
        new Session(
            KEY_PREFIX + Ids.text(random, BASE32, 16),
            Ids.text(random, BASE64, 40),
            Ids.text(random, BASE64, 352),
            account,
            arn,
            userId,
            now.plus(lifetime).truncatedTo(ChronoUnit.SECONDS));
    byKey.put(session.accessKeyId(), session);
    if (byKey.size() > KEPT_MAX) {
      byKey.remove(byKey.keySet().iterator().next());
    }
    return session;
  }

  /** The session of this access key id; empty when it is none of a session. */
  public Optional<Session> find(String accessKeyId) {
    return Optional.ofNullable(byKey.get(accessKeyId));
  }

  /** Whether a request signed with this key, and with this token, is to be taken. */
  public Standing standing(String accessKeyId, Optional<String> token, Instant now) {
    if (!accessKeyId.startsWith(KEY_PREFIX)) {
      return Standing.GOOD;
    }
    Optional<Session> session =
        find(accessKeyId).filter(found -> token.filter(found.token()::equals).isPresent());
    if (session.isEmpty()) {
      return Standing.WRONG;
    }
    return now.isBefore(session.get().expiration()) ? Standing.GOOD : Standing.EXPIRED;
  }

  /** The caller of this key: the session's account, or the account in the key. */
  public Caller caller(String accessKeyId, String region) {
    Optional<Session> session = find(accessKeyId);
    if (session.isPresent()) {
      return new Caller(session.get().account(), region, session.get().arn());
    }
    boolean number = accessKeyId.matches("[0-9]{12}");
    return new Caller(number ? accessKeyId : DEFAULT_ACCOUNT, region, accessKeyId);
  }

  SplittableRandom random() {
    return random;
  }
}
