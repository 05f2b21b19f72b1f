package io.tidemark.daemon;

import io.tidemark.daemon.ipamd.cloud.HookHostNetwork;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.Map;

/** A program that is run as a hook, without the daemon's environment but its PATH. */
final class HookProgram implements HookHostNetwork.Hook {
  private static final File NOTHING = new File("/dev/null");

  private final Path program;

  HookProgram(Path program) {
    this.program = program;
  }

  @Override
  public int run(Map<String, String> environment) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(program.toString())
            .redirectInput(NOTHING)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.INHERIT);
    builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      return process.waitFor();
    } finally {
      process.destroyForcibly();
    }
  }
}
