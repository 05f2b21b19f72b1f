package io.tidemark.operator;

import io.tidemark.program.CommandGroup;
import io.tidemark.program.Version;
import picocli.CommandLine.Command;

/** {@code tidemark} without a command. */
@Command(name = "tidemark", mixinStandardHelpOptions = true, versionProvider = Version.class)
final class RootCommand extends CommandGroup {
  /** The output of {@code tidemark --help}: text, so that no command is described to print it. */
  static final String HELP =
      """
      Usage: tidemark COMMAND [OPTIONS]
      Keeps every Kubernetes node's pool of pod addresses between its watermarks by
      driving a cloud's network interfaces.

      Commands:
        run        Keeps the pools of all nodes filled, or gives nodes CIDRs or ids
        explain    Explains the addresses of a node, its next step and what blocks it
        status     Prints the status of all nodes
        doctor     Checks permissions, endpoints, quotas, and what a migration needs
        config     Prints every setting with its value and source
        plan       Prints what a cluster of a size needs on EC2 or Azure
        node-cidr  Plans the pod CIDRs of the nodes of a cluster
        node-id    Computes the subnets and addresses that follow from ids of nodes
        simulate   Runs a whole cluster in virtual time and prints a report
        kubectl    Asks the operator of a cluster; 'kubectl tidemark' runs it
        help       Lists the settings of a provider: 'tidemark help aws'

      Commands of other programs, which './tidemark' of a checkout builds and runs:
        agent         Gives pods of its node addresses, through a CNI plugin
        ipamd         The same through the plugin of the AWS VPC CNI
        datastore     Inspects a checkpoint of ipamd
        ec2-emulator  Serves an emulated EC2
        arm-emulator  Serves an emulated Azure Resource Manager

      Options:
        -h, --help     Print this text; after a command: its usual options
            --help-all After run, explain, status, doctor, config or plan: all options
        -V, --version  Print the version

      Exit codes, of every command:
        0  Done.
        1  A failure, a stop before the end, or a simulation found a violation.
        2  The command line or the configuration is invalid; nothing was done.
        3  Done, but something needs human action, or objects were refused.
        4  Not finished within --timeout.

      Environment:
        TIDEMARK_KEY        a setting: TIDEMARK_CLUSTER_NAME is cluster-name
        JAVA_HOME           the Java that runs it, and builds it if needed
        TIDEMARK_JAVA_OPTS  options for that Java, such as -Xmx2g
        TERM                'dumb' turns the live table off

      Examples:
        tidemark run --provider=mock --nodes=examples/nodes --once
        tidemark explain --provider=mock --nodes=examples/nodes worker-a
        tidemark status --provider=mock --nodes=examples/nodes
        tidemark doctor --provider=aws
        tidemark config --config-dir=/etc/cilium-config
        tidemark plan --nodes=900 --pods-per-node=20 --instance-type=m5.large
        tidemark node-cidr plan --cluster-cidr=10.244.0.0/16
        tidemark node-id plan --config=contiv.conf
        tidemark simulate --nodes=1000
        tidemark kubectl status
        tidemark help aws
      """;
}
