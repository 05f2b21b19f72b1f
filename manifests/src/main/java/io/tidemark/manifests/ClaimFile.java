package io.tidemark.manifests;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cluster.Claim;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The file of one claim, which reads as a {@code Lease} of the Kubernetes API. It is there as a
 * whole or not at all. One that cannot be read is a claim of nobody: its name is taken.
 */
final class ClaimFile {
  static final String SUFFIX = ".json";
  private static final String NEW = ".tidemark-new";
  private static final int LENGTH_MAX = 64 << 10;

  private final Path file;

  private ClaimFile(Path file) {
    this.file = file;
  }

  static ClaimFile of(Path folder, String name) {
    return new ClaimFile(folder.resolve(name + SUFFIX));
  }

  /** Creates the file unless it exists; of several processes that do so at once, one succeeds. */
  void create(Claim claim, String temporary) throws IOException {
    Path whole = written(claim, temporary);
    try {
      Files.createLink(file, whole);
    } catch (UnsupportedOperationException e) {
      Files.write(file, bytes(claim), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } finally {
      Files.deleteIfExists(whole);
    }
  }

  /** Replaces it. */
  void replace(Claim claim, String temporary) throws IOException {
    Files.move(
        written(claim, temporary),
        file,
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  private Path written(Claim claim, String temporary) throws IOException {
    Path whole = file.resolveSibling("." + temporary + NEW);
    return Files.write(whole, bytes(claim));
  }

  /**
   * Reads it.
   *
   * @throws java.nio.file.NoSuchFileException when there is none
   */
  Claim read(String name) throws IOException {
    if (Files.size(file) > LENGTH_MAX) {
      return unreadable(name, "large");
    }
    byte[] content = Files.readAllBytes(file);
    String version = ManifestBytes.hash(content);
    try {
      ObjectNode root = DocumentsJson.object(new String(content, StandardCharsets.UTF_8));
      return new Claim(
          name,
          root.at("/metadata/uid").asText(""),
          version,
          root.at("/spec/holderIdentity").asText(""),
          root.path("metadata").path("annotations").path("tidemark.io/node-uid").asText(""));
    } catch (RuntimeException e) {
      return unreadable(name, version);
    }
  }

  private static Claim unreadable(String name, String version) {
    return new Claim(name, "", version, "", "");
  }

  private static byte[] bytes(Claim claim) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    ObjectNode metadata = root.putObject("metadata");
    metadata.put("name", claim.name()).put("uid", claim.uid());
    metadata.putObject("labels").put("app.kubernetes.io/managed-by", "tidemark");
    metadata.putObject("annotations").put("tidemark.io/node-uid", claim.holderUid());
    root.putObject("spec").put("holderIdentity", claim.holder());
    return DocumentsJson.print(List.of(root)).getBytes(StandardCharsets.UTF_8);
  }
}
