// Verifies access tokens in ASP.NET Core. Needs: dotnet add package Microsoft.AspNetCore.Authentication.JwtBearer
using Microsoft.AspNetCore.Authentication.JwtBearer;
using Microsoft.IdentityModel.Tokens;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddAuthentication(JwtBearerDefaults.AuthenticationScheme).AddJwtBearer(options =>
{
    options.Authority = builder.Configuration["ISSUER"]; // https; for http set RequireHttpsMetadata to false
    options.MapInboundClaims = false; // keeps the names sub and scope
    options.TokenValidationParameters = new TokenValidationParameters
    {
        ValidIssuer = builder.Configuration["ISSUER"],
        ValidAudience = builder.Configuration["AUDIENCE"],
        ValidTypes = ["at+jwt"], // an ID token is no access token (RFC 9068 §4)
        ValidAlgorithms = [SecurityAlgorithms.EcdsaSha256], // or RsaSha256, as your API has chosen
    };
});
builder.Services.AddAuthorization(options =>
    options.AddPolicy("notes:read", policy => policy.RequireAssertion(context =>
        context.User.FindFirst("scope")?.Value.Split(' ').Contains("notes:read") == true)));

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();
app.MapGet("/notes", (HttpContext context) => context.User.FindFirst("sub")?.Value).RequireAuthorization("notes:read");
app.Run();
