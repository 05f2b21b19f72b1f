package io.tidemark.manifests;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Bytes of a file as text and back, byte order mark included; and what tells contents apart. */
final class ManifestBytes {
  private static final String MARK = "\ufeff";
  private static final int HASH_BYTES = 8;

  private ManifestBytes() {}

  /** The text without its byte order mark. */
  static String text(byte[] content) throws TextFault {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
      return text.startsWith(MARK) ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new TextFault(0, "the file is no UTF-8 text", "Write the file in UTF-8.");
    }
  }

  /** The bytes of {@code text}, with a byte order mark when {@code like} has one. */
  static byte[] bytes(String text, byte[] like) {
    boolean marked =
        like.length >= 3
            && like[0] == (byte) 0xef
            && like[1] == (byte) 0xbb
            && like[2] == (byte) 0xbf;
    return (marked ? MARK + text : text).getBytes(StandardCharsets.UTF_8);
  }

  /** Tells contents apart; 64 bits in hexadecimal digits. */
  static String hash(byte[] content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  static String hash(String text) {
    return hash(text.getBytes(StandardCharsets.UTF_8));
  }
}
