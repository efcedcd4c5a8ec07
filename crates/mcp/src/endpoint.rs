//! The endpoint: the protocol's requests become calls of the tools.

use std::sync::Arc;

use http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, Prompt, PromptArgument, PromptMessage, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::time::{Duration, Instant, interval_at};
use tokio_util::sync::CancellationToken;

use crate::seats::Seats;
use crate::{House, tools, words};

/// The longest message of a client, in bytes.
pub const MAX_MESSAGE: usize = 64 * 1024;

/// A service that answers HTTP requests of the protocol.
pub type Endpoint<H> = StreamableHttpService<Agents<H>, NeverSessionManager>;

/// An endpoint of a server, until it is stopped. The caller that mounts it has already checked Host
/// and Origin of every request, so the server's own rules apply here too.
pub fn endpoint<H: House>(house: Arc<H>, stopped: CancellationToken) -> Endpoint<H> {
    let agents = Agents(Arc::new(Seats::new(house)));
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MAX_MESSAGE)
        .disable_allowed_hosts()
        .with_cancellation_token(stopped);
    StreamableHttpService::new(move || Ok(agents.clone()), Arc::default(), config)
}

/// What agents can ask of a server.
#[derive(Debug)]
pub struct Agents<H>(Arc<Seats<H>>);

impl<H> Clone for Agents<H> {
    fn clone(&self) -> Agents<H> {
        Agents(self.0.clone())
    }
}

/// Interval of progress messages to a waiting client, if it asked for them.
const STILL_HERE: Duration = Duration::from_secs(10);

const RULES: &str = "parlor://rules/";

impl<H: House> Agents<H> {
    fn rules_of(&self, game: &str) -> Result<String, ErrorData> {
        match self.0.guide(game) {
            Ok(guide) => Ok(guide.rules),
            Err(refused) => {
                let why = format!("{}. {}", refused.message, refused.hint);
                Err(ErrorData::resource_not_found(why, None))
            }
        }
    }
}

impl<H: House> ServerHandler for Agents<H> {
    fn get_info(&self) -> ServerConfig {
        let offers =
            ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts();
        ServerConfig::new(offers.build())
            .with_server_info(Implementation::new("parlor", env!("CARGO_PKG_VERSION")))
            .with_instructions(words::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::list()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::list().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(caller) = context.extensions.get::<Parts>() else {
            return Err(ErrorData::internal_error("the request has no caller", None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let call = tools::call(&self.0, &request.name, arguments, caller);
        tokio::pin!(call);
        let mut still_here = interval_at(Instant::now() + STILL_HERE, STILL_HERE);
        let mut times = 0.0;
        let reply = loop {
            tokio::select! {
                reply = &mut call => break reply,
                _ = still_here.tick() => {
                    let Some(token) = context.meta.get_progress_token() else { continue };
                    times += 1.0;
                    let progress = ProgressNotificationParam::new(token, times);
                    if let Err(error) = context.peer.notify_progress(progress).await {
                        return Err(ErrorData::internal_error(error.to_string(), None));
                    }
                }
                () = context.ct.cancelled() => {
                    return Err(ErrorData::internal_error("the call was cancelled", None));
                }
            }
        };
        match reply {
            Some(reply) => Ok(CallToolResult::from(reply).into()),
            None => {
                let why = format!("there is no tool '{}'", request.name);
                Err(ErrorData::invalid_params(why, None))
            }
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resource = |game: &str| {
            Resource::new(format!("{RULES}{game}"), format!("rules of {game}"))
                .with_description(format!("How {game} is played, and what an action looks like"))
                .with_mime_type("text/markdown")
        };
        let games = self.0.house.games();
        Ok(ListResourcesResult::with_all_items(games.into_iter().map(resource).collect()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = ResourceTemplate::new(format!("{RULES}{{game}}"), "rules of a game")
            .with_mime_type("text/markdown");
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let Some(game) = request.uri.strip_prefix(RULES) else {
            let why = format!("no such resource; rules are at {RULES}GAME");
            return Err(ErrorData::resource_not_found(why, None));
        };
        let text = ResourceContents::text(self.rules_of(game)?, request.uri.clone())
            .with_mime_type("text/markdown");
        Ok(ReadResourceResult::new(vec![text]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let argument = |name, about: &str, required| {
            PromptArgument::new(name).with_description(about).with_required(required)
        };
        let arguments = vec![
            argument("game", "The game to play, as list_games names it", true),
            argument("name", "The name to play under", false),
        ];
        let about = Some("Play one game from beginning to end");
        Ok(ListPromptsResult::with_all_items(vec![Prompt::new("play", about, Some(arguments))]))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if request.name != "play" {
            return Err(ErrorData::invalid_params("the only prompt is \"play\"", None));
        }
        let given = request.arguments.unwrap_or_default();
        let text = |key: &str| given.get(key).and_then(|value| value.as_str().map(str::to_owned));
        let Some(game) = text("game") else {
            return Err(ErrorData::invalid_params("\"play\" needs the argument \"game\"", None));
        };
        let (rules, name) = (self.rules_of(&game)?, text("name").unwrap_or("Model".to_owned()));
        let task = format!(
            "Play one game of {game} as {name} and try to win.\n\n{}\n\n{rules}",
            words::INSTRUCTIONS
        );
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, task)]).into())
    }
}
