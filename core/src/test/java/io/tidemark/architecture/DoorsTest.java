package io.tidemark.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("any-jdk")
@DisplayName("A library is refused outside its door and welcome inside")
class DoorsTest {
  private static final String TABLE =
      """
      resource.NodeCodec       | com.fasterxml.jackson.databind.JsonNode     | Jackson stops at classes
      resource.NodeJson        | com.fasterxml.jackson.databind.JsonNode     |
      resource.NodeJson.Reader | com.fasterxml.jackson.databind.JsonNode     |
      cluster.NodeJson         | com.fasterxml.jackson.databind.JsonNode     |
      node.NodeJson            | com.fasterxml.jackson.databind.JsonNode     | in core Jackson stops at
      operator.ReportJson      | com.fasterxml.jackson.databind.JsonNode     |
      manifests.ManifestKind   | com.fasterxml.jackson.databind.JsonNode     |
      resource.NodeJson        | org.snakeyaml.engine.v2.api.Load            | snakeyaml-engine stops
      config.ConfigYaml        | org.snakeyaml.engine.v2.api.Load            |
      node.Node                | io.github.resilience4j.retry.Retry          | Resilience4j stops
      resilience.RetryingCalls | io.github.resilience4j.retry.Retry          |
      node.Node                | io.prometheus.metrics.model.registry.PrometheusRegistry | Prometheus stops
      it.Scrape                | io.prometheus.metrics.model.registry.PrometheusRegistry |
      node.Node                | ch.qos.logback.classic.Logger               | terminal, command line
      operator.Logs            | ch.qos.logback.classic.Logger               |
      operator.Endpoint        | org.eclipse.jetty.server.Server             | the HTTP server stops at
      http.HttpListener        | org.eclipse.jetty.server.Server             |
      operator.Endpoint        | com.sun.net.httpserver.HttpServer           | the JDK's HTTP server
      emulator.Model           | software.amazon.awssdk.http.SdkHttpClient   | the AWS SDK stops at
      operator.Cluster         | com.azure.core.http.HttpClient              | azure-core stops at
      operator.Cluster         | com.azure.identity.Chain                    | azure-identity stops at
      operator.Cluster         | io.fabric8.kubernetes.client.Client         | the Kubernetes client library
      kubernetes.Cluster       | io.fabric8.kubernetes.client.Client         |
      daemon.CniBackend        | io.grpc.Server                              | gRPC and protocol buffers
      operator.Logs            | java.util.logging.Logger                    | SLF4J is the only
      operator.Endpoint        | java.net.UnixDomainSocketAddress            | Unix sockets stop at
      node.Node                | org.slf4j.Logger                            |
      """;

  /** Stand for libraries that core's tests do not have. */
  private static final List<String> LIBRARIES =
      List.of(
          "package software.amazon.awssdk.http; public class SdkHttpClient {}",
          "package com.azure.core.http; public class HttpClient {}",
          "package com.azure.identity; public class Chain {}",
          "package org.eclipse.jetty.server; public class Server {}",
          "package io.fabric8.kubernetes.client; public class Client {}",
          "package io.grpc; public class Server {}");

  private static JavaClasses classes;

  private record Row(String root, String user, String library, String refusal) {
    static Row of(int number, String line) {
      String[] cells = line.split("\\|", -1);
      return new Row("fixture.row" + number, cells[0].strip(), cells[1].strip(), cells[2].strip());
    }

    /** A field of the library's type, in a nested class when the user's name has three parts. */
    String text() {
      String[] parts = user.split("\\.", -1);
      String field = library + " field;";
      String body = parts.length == 3 ? "class " + parts[2] + " { " + field + " }" : field;
      return "package " + root + "." + parts[0] + "; class " + parts[1] + " { " + body + " }";
    }

    List<String> complaints() {
      JavaClasses own = classes.that(resideInAPackage(root + ".."));
      return Doors.rules(root).stream()
          .filter(rule -> rule.evaluate(own).hasViolation())
          .map(ArchRule::getDescription)
          .toList();
    }

    @Override
    public String toString() {
      String verdict = refusal.isEmpty() ? "welcome" : "refused";
      return user + " uses " + library.replaceFirst(".*\\.", "") + ": " + verdict;
    }
  }

  private static Stream<Row> rows() {
    List<String> lines = TABLE.lines().toList();
    return IntStream.range(0, lines.size()).mapToObj(i -> Row.of(i, lines.get(i)));
  }

  @BeforeAll
  static void compile(@TempDir Path directory) {
    classes =
        CompiledText.of(
            directory,
            Stream.concat(LIBRARIES.stream(), rows().map(Row::text)).toArray(String[]::new));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void row(Row row) {
    if (row.refusal().isEmpty()) {
      assertThat(row.complaints()).isEmpty();
    } else {
      assertThat(row.complaints()).singleElement().asString().startsWith(row.refusal());
    }
  }

  @Test
  @DisplayName("every door turns a row away")
  void everyDoor() {
    Set<String> turnedAway = new HashSet<>();
    rows().forEach(row -> turnedAway.addAll(row.complaints()));
    assertThat(turnedAway)
        .containsExactlyInAnyOrderElementsOf(
            Doors.rules("any").stream().map(ArchRule::getDescription).toList());
  }
}
