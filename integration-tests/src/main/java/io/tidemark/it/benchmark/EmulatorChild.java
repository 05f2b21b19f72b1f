package io.tidemark.it.benchmark;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.model.Quota;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The EC2 emulator in a process of its own, so that its time and memory are not counted. */
final class EmulatorChild implements AutoCloseable {
  private static final int INTERFACES = 100_000;

  private final Process process;
  private final URI endpoint;

  private EmulatorChild(Process process) throws IOException {
    this.process = process;
    BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = said.readLine();
    if (line == null) {
      throw new IOException("the emulator has ended");
    }
    this.endpoint = URI.create(line);
  }

  static EmulatorChild start() throws IOException {
    return new EmulatorChild(
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    EmulatorChild.class.getName()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  URI endpoint() {
    return endpoint;
  }

  @Override
  public void close() {
    process.destroy();
  }

  /** The child: prints its endpoint and serves until its parent has gone. */
  public static void main(String[] arguments) throws IOException {
    Ec2ModelOptions options =
        Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()).withQuota(Quota.INTERFACES, INTERFACES);
    try (Ec2Emulator.Listening listening = Ec2Emulator.listen(0, options)) {
      System.out.println(listening.endpoint());
      while (System.in.read() >= 0) {
        // nothing is asked here
      }
    }
  }
}
