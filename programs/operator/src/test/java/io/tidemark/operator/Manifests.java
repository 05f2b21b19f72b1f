package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.operator.Program.Result;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Node manifests in a directory. */
final class Manifests {
  /** Files that are new are read when they have been quiet; these are read at once. */
  private static final FileTime LONG_AGO = FileTime.fromMillis(0);

  private final Path directory;

  Manifests(Path directory) {
    this.directory = directory;
  }

  /** A new node of type m5.large in subnet-a that wants eight spare addresses. */
  static String fresh(String name) {
    return node(name, "pre-allocate: 8");
  }

  /** A new node of type m5.large in subnet-a. */
  static String node(String name, String ipam) {
    return """
        # %1$s
        apiVersion: cilium.io/v2
        kind: CiliumNode
        metadata:
          name: %1$s
        spec:
          instance-id: i-%1$s
          eni:
            availability-zone: eu-central-1a
            first-interface-index: 0
            instance-type: m5.large
            node-subnet-id: subnet-a
            vpc-id: vpc-1
          ipam:
            %2$s
        """
        .formatted(name, ipam);
  }

  /** A new node that needs an interface in a subnet that does not exist. */
  static String subnetless(String name) {
    return fresh(name)
        .replace(
            "first-interface-index: 0", "first-interface-index: 1\n    subnet-ids: [subnet-none]");
  }

  Manifests with(String file, String text) {
    return with(file, text.getBytes(StandardCharsets.UTF_8));
  }

  Manifests with(String file, byte[] content) {
    try {
      Path written = Files.write(directory.resolve(file), content);
      Files.setLastModifiedTime(written, LONG_AGO);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies of an example folder of the repository. */
  Manifests withExamples(String folder) {
    try (Stream<Path> files = Files.list(Repository.root().resolve("examples").resolve(folder))) {
      for (Path each : files.toList()) {
        with(each.getFileName().toString(), Files.readAllBytes(each));
      }
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs the program with the directory. */
  Result run(String words, String... more) {
    return Program.run(Program.arguments(words, option(), more));
  }

  /**
   * Starts the program on the directory. It runs until the test stops it, and may take its time for
   * that, if the words do not bound it.
   */
  Program start(String words, String... more) {
    String patient = words.contains("--stop-within") ? "" : " --stop-within=2m";
    return Program.start(Program.arguments(words + patient, option(), more));
  }

  /** Requires that the program changes something in order: without a word, and with code 0. */
  Result runsInOrder(String words) {
    Result result = run(words).ends(0);
    assertThat(result.err()).isEmpty();
    return result;
  }

  /** A Node of Kubernetes. */
  static String kubernetesNode(String name, String spec) {
    return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + "}\nspec: " + spec + "\n";
  }

  /** The option that names the directory. */
  String option() {
    return "--nodes=" + directory;
  }

  Path path() {
    return directory;
  }

  String read(String file) {
    try {
      return Files.readString(directory.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All files with their content, those of folders inside too, by their path from here. */
  SortedMap<String, String> content() {
    try (Stream<Path> files = Files.walk(directory)) {
      SortedMap<String, String> content = new TreeMap<>();
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        content.put(
            directory.relativize(file).toString(),
            new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
      return content;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
