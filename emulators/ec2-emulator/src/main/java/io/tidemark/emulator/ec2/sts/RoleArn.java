package io.tidemark.emulator.ec2.sts;

import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a role ("IAM identifiers", IAM User Guide).
 *
 * @param partition {@code aws}, {@code aws-cn}, {@code aws-us-gov}
 * @param account twelve digits
 * @param name without its path
 */
public record RoleArn(String partition, String account, String name) {
  private static final Pattern FORM =
      Pattern.compile("arn:(aws[a-z-]*):iam::([0-9]{12}):role/(?:[!-~]+/)?([\\w+=,.@-]{1,64})");

  private static final Pattern SESSION =
      Pattern.compile("arn:(aws[a-z-]*):sts::([0-9]{12}):assumed-role/([^/]+)/([^/]+)");

  private static final char[] BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".toCharArray();
  private static final int ID_LENGTH = 17;

  /**
   * Reads an ARN.
   *
   * @throws Ec2Refusal when it is none of a role
   */
  static RoleArn parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw StsErrors.validation(text + " is invalid");
    }
    return new RoleArn(form.group(1), form.group(2), form.group(3));
  }

  /** The session whose ARN this is; empty when it is none of a session. */
  public static Optional<Session> ofSession(String text) {
    Matcher form = SESSION.matcher(text);
    return form.matches()
        ? Optional.of(
            new Session(new RoleArn(form.group(1), form.group(2), form.group(3)), form.group(4)))
        : Optional.empty();
  }

  /** An assumed role, with the session name that the caller chose. */
  public record Session(RoleArn role, String name) {
    /** The ARN of the session; the role's path is not part of it. */
    public String arn() {
      return "arn:"
          + role.partition
          + ":sts::"
          + role.account
          + ":assumed-role/"
          + role.name
          + "/"
          + name;
    }

    /** The role's id, the same for the same role in every run, and the session's name. */
    public String id() {
      return idOf("AROA", role.account + "/" + role.name) + ":" + name;
    }
  }

  /** An id that IAM could have made, from a text. */
  public static String idOf(String prefix, String text) {
    StringBuilder out = new StringBuilder(prefix);
    byte[] hash = sha256(text);
    for (int i = 0; i < ID_LENGTH; i++) {
      out.append(BASE32[hash[i] & 31]);
    }
    return out.toString();
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new LinkageError("every JDK has SHA-256", e);
    }
  }
}
