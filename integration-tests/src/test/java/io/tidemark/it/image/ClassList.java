package io.tidemark.it.image;

import io.tidemark.it.cluster.FilledCluster;
import io.tidemark.kubernetes.server.FreePorts;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * Writes the list of the classes that an operator loads until it is ready, which the class-data
 * archive of the image is made of. Of one provider none: each operator has one alone, and every
 * class of the archive takes memory. Run by {@code .ci/image/run --classes}.
 */
public final class ClassList {
  private static final int NODES = 100;

  private ClassList() {}

  /** The file to write, compressed. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("tidemark-classes");
    try (FilledCluster cluster = FilledCluster.create(folder, NODES)) {
      int port = FreePorts.next();
      try (OperatorContainer operator =
          OperatorContainer.start(
              LoadedImage.of("amd64"),
              Files.createDirectory(folder.resolve("container")),
              "-Xshare:off -XX:DumpLoadedClassList=/tmp/classes",
              cluster.kubeconfig(),
              cluster.arguments("/kubeconfig", port))) {
        operator.awaitReady(port);
        operator.terminate();
        try (Stream<String> lines = Files.lines(operator.file("classes"))) {
          write(Path.of(arguments[0]), lines);
        }
      }
    }
  }

  private static void write(Path file, Stream<String> lines) throws IOException {
    TreeSet<String> names = new TreeSet<>();
    TreeSet<String> rest = new TreeSet<>();
    lines
        .filter(
            each ->
                !each.startsWith("#") && !each.startsWith("@cp ") && !each.contains(" source: "))
        .map(each -> each.replaceFirst(" id: \\d+$", ""))
        .forEach(each -> (each.startsWith("@") ? rest : names).add(each));
    try (PrintStream out =
        new PrintStream(
            new GZIPOutputStream(Files.newOutputStream(file)), false, StandardCharsets.UTF_8)) {
      names.forEach(out::println);
      rest.forEach(out::println);
    }
    System.out.println(names.size() + " classes, " + rest.size() + " other lines");
  }
}
