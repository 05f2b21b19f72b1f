package io.tidemark.provider.kit;

import io.tidemark.spi.InstanceId;
import io.tidemark.spi.InterfaceId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The token of a creation: the same situation always gives the same token, in every operator, so
 * one situation has one interface.
 */
public final class ClientToken {
  private static final int HEX_DIGITS = 32;

  private ClientToken() {}

  /**
   * The token for the next interface of an instance.
   *
   * @param place where it is attached, such as a device index
   * @param attached what is attached, ids ascending
   * @param ordinal the number of interfaces of this situation that are known to be gone
   */
  public static String of(
      String cluster, InstanceId instance, String place, List<InterfaceId> attached, int ordinal) {
    StringBuilder situation = new StringBuilder(cluster).append('\n').append(instance.text());
    situation.append('\n').append(place);
    attached.forEach(id -> situation.append('\n').append(id.text()));
    situation.append('\n').append(ordinal);
    byte[] digest;
    try {
      digest =
          MessageDigest.getInstance("SHA-256")
              .digest(situation.toString().getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("every Java runtime has SHA-256", missing);
    }
    return HexFormat.of().formatHex(digest).substring(0, HEX_DIGITS);
  }
}
