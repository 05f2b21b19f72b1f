package io.tidemark.operator;

import io.tidemark.program.CommandGroup;
import io.tidemark.program.Version;
import picocli.CommandLine.Command;

/** {@code tidemark} without a command. */
@Command(
    name = "tidemark",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Keeps every Kubernetes node's pool of pod addresses between its water marks by driving a"
          + " cloud's network interfaces."
    },
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes, of every command:%n",
    exitCodeList = {
      "0:Done.",
      "1:An unexpected failure, or a simulation found a violation.",
      "2:The command line or the configuration is invalid; nothing was done.",
      "3:Done, but something needs human action, or objects were refused.",
      "4:Not finished within --timeout."
    },
    footerHeading = "%nEnvironment:%n",
    footer = {
      "  TIDEMARK_KEY        a setting: TIDEMARK_CLUSTER_NAME is cluster-name",
      "  JAVA_HOME           the Java that runs it, and builds it if needed",
      "  TIDEMARK_JAVA_OPTS  options for that Java, such as -Xmx2g",
      "  TERM                'dumb' turns the live table off",
      "",
      "Examples:",
      "  tidemark run --provider=mock --nodes=examples/nodes --once",
      "  tidemark explain --nodes=examples/nodes worker-a",
      "  tidemark status --nodes=examples/nodes",
      "  tidemark doctor --provider=aws",
      "  tidemark config --config-dir=/etc/cilium-config",
      "  tidemark node-cidr plan --cluster-cidr=10.244.0.0/16",
      "  tidemark node-id plan --config=contiv.conf",
      "  tidemark simulate --nodes=1000",
      "  tidemark kubectl status",
      "",
      "Use 'tidemark COMMAND --help' for more about a command.",
      "'tidemark ec2-emulator' and 'tidemark arm-emulator', from a checkout, are separate programs."
    })
final class RootCommand extends CommandGroup {}
