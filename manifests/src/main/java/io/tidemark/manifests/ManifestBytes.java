package io.tidemark.manifests;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Bytes of a file as text, and hashes of contents. */
final class ManifestBytes {
  private static final String MARK = "\ufeff";
  private static final int HASH_BYTES = 8;

  private ManifestBytes() {}

  /** The text without its byte order mark. */
  static String text(byte[] content) throws UnreadableManifest {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
      return text.startsWith(MARK) ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new UnreadableManifest(0, "the file is not UTF-8 text", "Write the file in UTF-8.");
    }
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
