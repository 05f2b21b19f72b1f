package io.tidemark.emulator.ec2.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.World;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The page at /")
class PageTest {
  private Ec2Emulator.Listening listening;

  @BeforeEach
  void listen() throws IOException {
    listening = Ec2Emulator.listen(0, World.options());
  }

  @AfterEach
  void close() {
    listening.close();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(listening.endpoint() + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  @DisplayName("tells that nothing is there before the first call")
  void empty() throws Exception {
    HttpResponse<String> page = get("/");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("content-type")).contains("text/html;charset=UTF-8");
    assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
        .contains("default-src 'none'");
    assertThat(page.body())
        .startsWith("<!DOCTYPE html>")
        .contains("No region was asked for yet", "No request is throttled.")
        .endsWith("</body></html>\n");
  }

  @Test
  @DisplayName("shows subnets with their free space, interfaces, instances and calls")
  void filled() throws Exception {
    World world = World.of(listening.emulator());
    String zone = World.filter(1, "availability-zone", "us-east-1a");
    String subnet = world.told("subnetSet.0.subnetId", "DescribeSubnets", zone).get(0);
    String instance = world.instance("m5.large", subnet);
    String made = world.interfaceId(subnet, "Ipv4PrefixCount=1");
    listening.emulator().deny("somebody", Set.of("CreateVpc"));

    String page = get("/").body();
    assertThat(page)
        .contains("<h2>us-east-1</h2>", "<caption>Interfaces: 2</caption>")
        .contains("<td>" + subnet + "</td>", "<td>172.31.0.0/20</td>")
        .contains("<meter min=\"0\" max=\"4091\" value=\"18\"></meter> 18</td><td>4073</td>")
        .contains("<td>" + instance + "</td>", "<td>m5.large</td>")
        .contains("<td>" + instance + " device 0</td>")
        .contains("<td>" + made + "</td>", "<td>available</td>")
        .contains("<tr><td>RunInstances</td><td>1</td><td>0</td><td></td></tr>")
        .contains("<td>somebody</td><td>denied CreateVpc</td>");
  }

  @Test
  @DisplayName("escapes whatever clients wrote, and loads nothing from anywhere")
  void escaped() throws Exception {
    World world = World.of(listening.emulator());
    String subnet = world.told("subnetSet.0.subnetId", "DescribeSubnets").get(0);
    world.interfaceId(subnet, "Description=<script>alert(\"x\")</script>&'");
    listening.emulator().deny("<img src=x onerror=alert(1)>", Set.of("CreateVpc"));
    String page = get("/").body();
    assertThat(page)
        .contains("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;")
        .contains("&lt;img src=x onerror=alert(1)&gt;")
        .doesNotContain("<script", "<img", "http://", "https://", "url(", "@import", "<link");
    assertThat(page).contains("prefers-color-scheme:dark", "color-scheme:light dark");
  }

  @Test
  @DisplayName("cuts long tables and says so")
  void cut() throws Exception {
    World world = World.of(listening.emulator());
    String subnet = world.told("subnetSet.0.subnetId", "DescribeSubnets").get(0);
    for (int i = 0; i < 503; i++) {
      world.interfaceId(subnet);
    }
    assertThat(get("/").body())
        .contains("<caption>Interfaces: 503</caption>", "<p>3 more; GET /_tidemark/state");
  }

  @Test
  @DisplayName("is no answer to a request of EC2")
  void requests() throws Exception {
    assertThat(get("/?Action=DescribeVpcs&Version=2016-11-15").body())
        .contains("<Code>MissingAuthenticationToken</Code>");
    assertThat(get("/favicon.ico").body()).contains("<Code>MissingAuthenticationToken</Code>");
  }
}
