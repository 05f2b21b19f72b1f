package io.tidemark.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.List;

/** Each library stops at one door, so that replacing it, or its next version, touches one place. */
final class Doors {
  private Doors() {}

  static List<ArchRule> rules(String root) {
    return List.of(
        door(
            "Jackson stops at classes named *Json or *Yaml, and at manifests",
            named("Json", "Yaml").or(in(root, "manifests")),
            "the engine keeps no JSON tree, and files are rewritten with fields unknown to it",
            "com.fasterxml.jackson.."),
        door(
            "in core Jackson stops at resource and cluster",
            outsideCore(root).or(in(root, "resource")).or(in(root, "cluster")),
            "the wire format of a kind of object is written and read in its package",
            "com.fasterxml.jackson.."),
        door(
            "snakeyaml-engine stops at classes named *Yaml",
            named("Yaml"),
            "one reader decides what YAML means: version 1.2, positions kept, sizes bounded",
            "org.snakeyaml.."),
        door(
            "Resilience4j stops at resilience",
            in(root, "resilience"),
            "every remote call is paced, retried and broken off in one visible order",
            "io.github.resilience4j.."),
        door(
            "Prometheus stops at the programs' endpoint and the benchmarks",
            in(root, "program.endpoint").or(in(root, "it")),
            "the program that embeds the engine chooses the registry of its meters",
            "io.micrometer.prometheusmetrics..",
            "io.prometheus.."),
        door(
            "terminal, command line and log back end stop at the programs",
            in(root, "program")
                .or(in(root, "operator"))
                .or(in(root, "daemon"))
                .or(in(root, "emulator")),
            "a library has no terminal and no logging set-up",
            "picocli..",
            "me.tongfei..",
            "org.jline..",
            "ch.qos.logback.."),
        door(
            "the HTTP server stops at http",
            in(root, "http"),
            "one place bounds what a client may hold: time, connections, sizes",
            "org.eclipse.jetty.."),
        door(
            "the JDK's HTTP server is used nowhere",
            describe("nobody", c -> false),
            "a client that sends half a request holds one of its threads",
            "com.sun.net.httpserver.."),
        unixSockets(named("SocketFile").or(in(root, "http"))),
        door(
            "the AWS SDK stops at provider.aws.ec2, the emulator's transport and the benchmarks",
            in(root, "provider.aws.ec2").or(in(root, "emulator.ec2.http")).or(in(root, "it")),
            "what we ask of EC2 is said in our types, and the emulator answers without a client",
            "software.amazon.awssdk.."),
        door(
            "azure-core stops at provider.azure.network and identity",
            in(root, "provider.azure.network").or(in(root, "provider.azure.identity")),
            "what we ask of Azure is said in our types",
            "com.azure.core..",
            "reactor.."),
        door(
            "azure-identity stops at provider.azure.identity",
            in(root, "provider.azure.identity"),
            "token protocols are Microsoft's to keep, the choice of one is ours",
            "com.azure.identity..",
            "com.microsoft.aad.."),
        door(
            "the Kubernetes client library stops at kubernetes",
            in(root, "kubernetes"),
            "the engine knows a store, not an API server, and whoever embeds it may bring another client",
            "io.fabric8.."),
        door(
            "gRPC and protocol buffers stop at daemon.ipamd.grpc",
            in(root, "daemon.ipamd.grpc"),
            "what the plugin is answered is decided on values, without sockets and threads",
            "io.grpc..",
            "com.google.protobuf..",
            "com.google.common.."),
        door(
            "SLF4J is the only logging API",
            describe("nobody", c -> false),
            "the operator of the program chooses the back end once, for all of it",
            "java.util.logging..",
            "org.apache.commons.logging..",
            "org.apache.log4j.."));
  }

  private static ArchRule door(
      String name, DescribedPredicate<JavaClass> inside, String reason, String... libraries) {
    return noClasses()
        .that(DescribedPredicate.not(inside))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(libraries)
        .because(reason)
        .allowEmptyShould(true)
        .as(name + ", because " + reason);
  }

  private static ArchRule unixSockets(DescribedPredicate<JavaClass> inside) {
    String reason = "one says who may connect, the other bounds what a client may hold";
    return noClasses()
        .that(DescribedPredicate.not(inside))
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.net.UnixDomainSocketAddress")
        .allowEmptyShould(true)
        .as("Unix sockets stop at SocketFile and http, because " + reason);
  }

  private static DescribedPredicate<JavaClass> in(String root, String name) {
    return JavaClass.Predicates.resideInAPackage(root + "." + name + "..");
  }

  private static DescribedPredicate<JavaClass> outsideCore(String root) {
    return JavaClass.Predicates.resideInAnyPackage(
        Arrays.stream(
                new String[] {
                  "http",
                  "datastore",
                  "nodeid",
                  "provider",
                  "kubernetes",
                  "manifests",
                  "emulator",
                  "simulation",
                  "program",
                  "operator",
                  "daemon",
                  "it"
                })
            .map(name -> root + "." + name + "..")
            .toArray(String[]::new));
  }

  /** By the name of the outermost class, so that nested and anonymous classes count with it. */
  private static DescribedPredicate<JavaClass> named(String... endings) {
    return describe(
        "named *" + String.join(" or *", endings),
        type -> Arrays.stream(endings).anyMatch(outermost(type).getSimpleName()::endsWith));
  }

  private static JavaClass outermost(JavaClass type) {
    return type.getEnclosingClass().map(Doors::outermost).orElse(type);
  }
}
